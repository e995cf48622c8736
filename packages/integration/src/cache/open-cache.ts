import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ProductReviewsError } from '../errors.js';
import { count, reasonOf } from '../text/words.js';
import { connect, identify, isUnusable, openDatabase, setAside } from './open-database.js';
import type { Kind, PageTable, StoredEntry, Table } from './review-cache.js';
import {
	type EntryRow,
	inTransaction,
	isNewer,
	prepareRows,
	pruneRows,
	type RowKey,
	type Rows,
} from './rows.js';
import { compress, decode, type Packed, unpack } from './values.js';

/** Opens the cache in its file. If that fails, it warns, and keeps reviews in memory for this build. */
export function openCache(
	file: string,
	account: string,
	warn: (message: string) => void,
	now: () => number = Date.now,
): ReviewCache {
	try {
		return new ReviewCache(file, account, warn, now);
	} catch (error) {
		warn(
			`The cache cannot be opened: ${reasonOf(error)}. Reviews are kept in memory for this build only; ` +
				'the next one asks the service for all of them. Check that the folder of the option "cacheDir" can be written. [PR_CACHE_UNUSABLE]',
		);
		return createMemoryCache();
	}
}

export function createMemoryCache(): ReviewCache {
	return new ReviewCache(MEMORY, 'account', () => {}, Date.now);
}

const MEMORY = ':memory:';

/** How precisely the file knows when a value was last used, in milliseconds: a day. A build without news writes little. */
const USE_PRECISION = 86_400_000;

/** Rows written in one transaction. A hundred cost little more than one. */
const BATCH_SIZE = 100;
/** Small changes written in one transaction. */
const CHANGES = 2_000;

/** A value that is not in the file yet. */
interface WaitingRow {
	readonly kind: Kind;
	readonly pid: string;
	readonly entry: StoredEntry;
	readonly packed: Packed;
	/** For a page: the products that it shows something of. */
	readonly shows: readonly string[];
}

/** A change of what is known of a value in the file. Without one, it was only used. */
interface WaitingChange extends Partial<Pick<StoredEntry, 'fetchedAt' | 'state'>> {
	readonly kind: Kind;
	readonly pid: string;
}

interface CacheFile {
	readonly database: DatabaseSync;
	readonly rows: Rows;
	readonly identity: string | undefined;
}

/**
 * Keeps the last good values of every product from build to build, in one SQLite file. All operations are synchronous and
 * never throw: a file that cannot be read or written makes a build slower, but never fails it. A damaged row is missing, and
 * fetched again. A damaged file is set aside, even if the damage is found only later, and a new one begins.
 */
export class ReviewCache {
	readonly #path: string;
	readonly #account: string;
	readonly #warn: (message: string) => void;
	readonly #now: () => number;
	#file: CacheFile | undefined;
	#isRenewed = false;
	/** What could not be done, as a past participle. Each is warned of once. */
	readonly #failed = new Set<string>();
	readonly #damaged = new Map<string, RowKey>();
	#indexed = 0;
	readonly #rows = new Map<string, WaitingRow>();
	readonly #changes = new Map<string, WaitingChange>();
	/** Whether there are values, by kind. Kinds that were not looked up yet are not in it. */
	readonly #filled = new Map<Kind, boolean>();
	/** Values that could not be written are kept for this build. */
	#canWrite = true;

	constructor(path: string, account: string, warn: (message: string) => void, now: () => number) {
		this.#path = path;
		this.#account = account;
		this.#warn = warn;
		this.#now = now;
		this.#file = this.#open();
	}

	table<Value>(kind: Exclude<Kind, 'page'>): Table<Value> {
		return {
			get: (pid) => this.#get<Value>(kind, pid),
			entry: (pid) => this.#entry(kind, pid),
			entries: (pids) => this.#entries(kind, pids),
			isEmpty: () => !this.#isFilled(kind),
			put: (pid, packed, fetchedAt, validators) => this.#put(kind, pid, packed, fetchedAt, validators),
			change: (pid, change) => this.#change({ ...change, kind, pid }),
		};
	}

	pages<Value>(): PageTable<Value> {
		const account = this.#account;
		const find = (sql: string, ...values: string[]): readonly string[] => {
			this.flush();
			const found = this.#attempt('read', ({ database }) => database.prepare(sql).all(account, ...values));
			if (found) return found.map(({ name }) => String(name));
			throw new ProductReviewsError(
				'PR_CACHE_UNUSABLE',
				'The cache cannot say which pages show which products.',
				'Build again.',
			);
		};
		return {
			get: (name) => this.#get<Value>('page', name)?.value,
			put: (name, packed, pids) => this.#put('page', name, packed, this.#now(), undefined, pids),
			// Proven by no more than its compression: it says what it is about.
			html: (name) => this.#get('html', name, ({ codec, value }) => decode(codec, value).toString())?.value,
			putHtml: (name, text) => this.#put('html', name, compress(text), this.#now(), undefined),
			showing: (pids) =>
				find(
					'SELECT DISTINCT page AS name FROM shown WHERE account = ? AND pid IN (SELECT value FROM json_each(?)) ORDER BY page',
					JSON.stringify(pids),
				),
			products: () => find('SELECT DISTINCT pid AS name FROM shown WHERE account = ? ORDER BY pid'),
			keepOnly: (names) => {
				const others = this.pids('page').filter((name) => !names.has(name));
				if (others.length > 0)
					this.#attempt('written', ({ database }) => deletePages(database, account, others));
			},
		};
	}

	pids(kind: Kind): readonly string[] {
		this.flush();
		return this.#attempt('read', ({ rows }) => rows.pids(this.#account, kind)) ?? [];
	}

	/** Writes everything that is waiting, in one transaction. */
	flush(): void {
		const isDamaged = this.#damaged.size > this.#indexed;
		if (!this.#canWrite || (this.#rows.size + this.#changes.size === 0 && !isDamaged)) return;
		const usedAt = this.#now();
		this.#canWrite =
			this.#attempt('written', ({ database, rows }) => {
				if (isDamaged) renewIndex(database);
				this.#indexed = this.#damaged.size;
				inTransaction(database, () => {
					for (const key of isDamaged ? this.#damaged.values() : []) rows.removeDamaged(key);
					for (const row of this.#rows.values()) this.#writeRow(rows, row, usedAt);
					for (const change of this.#changes.values()) this.#writeChange(rows, change, usedAt);
				});
				return true;
			}) ?? false;
		if (this.#canWrite) this.#forgetWaiting();
	}

	/** Deletes everything that was not used since then, of all accounts. */
	prune(since: number): number {
		this.flush();
		if (!this.#canWrite) return 0;
		return this.#attempt('pruned', ({ database }) => pruneRows(database, since)) ?? 0;
	}

	/** Flushes and closes. Afterwards the file is complete on its own, without a log. */
	close(): void {
		// Another build may have held the file before, and released it since.
		this.#canWrite = true;
		this.flush();
		// A log that could not be written to cannot be folded in either. On a locked file that would be the same wait again.
		if (this.#canWrite)
			this.#attempt('tidied', ({ database }) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
		this.#attempt('closed', ({ database }) => database.close());
		if (this.#file && this.#damaged.size > 0) {
			this.#warn(
				`The cache had ${count(this.#damaged.size, 'damaged row')}. Damaged rows are ignored and fetched again. ` +
					'If this keeps happening, check the disk, and the copy that it is restored from.',
			);
		}
		this.#file = undefined;
		this.#forgetWaiting();
	}

	#open(): CacheFile {
		const path = this.#path;
		const database =
			path === MEMORY
				? connect(path)
				: openDatabase(path, (reason) => this.#warn(describeSetAside(path, reason)));
		const rows = prepareRows(database, (key) => this.#damaged.set(`${key.kind} ${key.pid}`, key));
		return { database, rows, identity: identify(path) };
	}

	/**
	 * Runs an operation. If the file turns out to be unusable, it is set aside once, and the operation runs on a new
	 * file.
	 */
	#attempt<Result>(what: string, action: (file: CacheFile) => Result): Result | undefined {
		if (!this.#file) return undefined;
		try {
			try {
				return action(this.#file);
			} catch (error) {
				if (this.#isRenewed || !isUnusable(error)) throw error;
				return action(this.#renew(this.#file, error));
			}
		} catch (error) {
			if (!this.#failed.has(what))
				this.#warn(
					`The cache could not be ${what}: ${(error as Error).message}. The build goes on. [PR_CACHE_UNUSABLE]`,
				);
			this.#failed.add(what);
			return undefined;
		}
	}

	#renew({ database, identity }: CacheFile, { message }: Error): CacheFile {
		this.#isRenewed = true;
		database.close();
		setAside(this.#path, identity);
		this.#warn(describeSetAside(this.#path, message));
		this.#file = this.#open();
		return this.#file;
	}

	#keyOf(kind: Kind, pid: string) {
		return { account: this.#account, kind, pid };
	}

	#get<Value>(kind: Kind, pid: string, open: (packed: Omit<Packed, 'summary'>) => Value = unpack) {
		const waiting = this.#rows.get(`${kind} ${pid}`);
		if (waiting) return { pid, value: open(waiting.packed), ...waiting.entry };
		return this.#attempt('read', ({ rows }) => {
			const found = rows.read(this.#keyOf(kind, pid), open);
			return found && { pid, value: found.value, ...this.#use(kind, pid, found.row) };
		});
	}

	#entry(kind: Kind, pid: string): StoredEntry | undefined {
		const waiting = this.#rows.get(`${kind} ${pid}`);
		if (waiting) return waiting.entry;
		return this.#attempt('read', ({ rows }) => {
			const row = rows.entry(this.#keyOf(kind, pid));
			return row && this.#use(kind, pid, row);
		});
	}

	#entries(kind: Kind, pids: readonly string[]): ReadonlyMap<string, StoredEntry> {
		const found = new Map<string, StoredEntry>();
		const inFile: string[] = [];
		for (const pid of pids) {
			const waiting = this.#rows.get(`${kind} ${pid}`);
			if (waiting) found.set(pid, waiting.entry);
			else inFile.push(pid);
		}
		const rows = this.#attempt('read', (file) => file.rows.entries(this.#account, kind, inFile)) ?? [];
		for (const row of rows) found.set(row.pid, this.#use(kind, row.pid, row));
		return found;
	}

	/** What is known of a value in the file, with a change that is not in the file yet. Notes that it is used. */
	#use(kind: Kind, pid: string, row: EntryRow): StoredEntry {
		const change = this.#changes.get(`${kind} ${pid}`);
		if (!change && this.#now() - row.used_at > USE_PRECISION) this.#change({ kind, pid });
		const { digest, validators, summary } = row;
		return {
			digest,
			fetchedAt: change?.fetchedAt ?? row.fetched_at,
			state: change?.state ?? row.state,
			validators: validators ?? undefined,
			summary: summary ?? undefined,
		};
	}

	#isFilled(kind: Kind): boolean {
		const isFilled =
			this.#filled.get(kind) ??
			this.#attempt('read', ({ rows }) => rows.hasAny(this.#account, kind)) ??
			false;
		this.#filled.set(kind, isFilled);
		return isFilled;
	}

	#put(
		kind: Kind,
		pid: string,
		packed: Packed,
		fetchedAt: number,
		validators: string | undefined,
		shows: readonly string[] = [],
	): void {
		if (!this.#file) return;
		const { digest, summary } = packed;
		const entry: StoredEntry = { digest, fetchedAt, state: 'fetched', validators, summary };
		this.#filled.set(kind, true);
		this.#changes.delete(`${kind} ${pid}`);
		this.#rows.set(`${kind} ${pid}`, { kind, pid, entry, packed, shows });
		if (this.#rows.size >= BATCH_SIZE) this.flush();
	}

	#change(change: WaitingChange): void {
		if (!this.#file) return;
		const { kind, pid, ...changed } = change;
		const key = `${kind} ${pid}`;
		const row = this.#rows.get(key);
		if (row) {
			this.#rows.set(key, { ...row, entry: { ...row.entry, ...changed } });
			return;
		}
		this.#changes.set(key, { ...this.#changes.get(key), ...change });
		if (this.#changes.size >= CHANGES) this.flush();
	}

	/** A value never replaces a newer one that another build wrote in the meantime. */
	#writeRow(rows: Rows, row: WaitingRow, usedAt: number): void {
		const { kind, pid, entry, packed, shows } = row;
		const { digest, fetchedAt, state, validators = null, summary = null } = entry;
		const key = this.#keyOf(kind, pid);
		const there = rows.entry(key);
		// Most pages of a build are as the last one left them.
		const isKept = kind === 'page' && there?.digest === digest && usedAt - there.used_at < USE_PRECISION;
		if (!isKept && !isNewer(there, fetchedAt)) {
			const known = { digest, fetched_at: fetchedAt, used_at: usedAt, state, validators, summary };
			rows.put(key, known, packed);
		}
		for (const product of shows) rows.show(this.#account, product, pid);
	}

	#writeChange(rows: Rows, { kind, pid, fetchedAt, state }: WaitingChange, usedAt: number): void {
		const key = this.#keyOf(kind, pid);
		const row = rows.entry(key);
		if (!row) return;
		rows.put(key, {
			...row,
			fetched_at: fetchedAt ?? row.fetched_at,
			state: state ?? row.state,
			used_at: usedAt,
		});
	}

	#forgetWaiting(): void {
		this.#rows.clear();
		this.#changes.clear();
	}
}

function describeSetAside(file: string, reason: string): string {
	const to = `${basename(file)}.set-aside`;
	return `The cache cannot be used (${reason}). It was renamed to "${to}"; a new one is built. [PR_CACHE_UNUSABLE]`;
}

/**
 * Makes the index of values anew. One that is damaged itself does not find a value that is there, or finds another, and
 * a build would write into that.
 */
function renewIndex(database: DatabaseSync): void {
	try {
		database.exec('REINDEX contents');
	} catch (error) {
		// Otherwise, two values claim the same product. The index as it is finds the right one.
		if (isUnusable(error)) throw error;
	}
}

function deletePages(database: DatabaseSync, account: string, names: readonly string[]): void {
	const list = JSON.stringify(names);
	const among = 'IN (SELECT value FROM json_each(?))';
	inTransaction(database, () => {
		for (const table of ['contents', 'entries']) {
			database
				.prepare(`DELETE FROM ${table} WHERE account = ? AND kind IN ('page', 'html') AND pid ${among}`)
				.run(account, list);
		}
		database.prepare(`DELETE FROM shown WHERE account = ? AND page ${among}`).run(account, list);
	});
}
