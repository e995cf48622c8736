import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { unlessFailing } from '../base/failures.js';
import { packContent, readPacked } from '../records/packed.js';
import { type Content, PARTS, type Packed, type Part } from '../records/parts.js';
import {
	type Change,
	CLOCK_TOLERANCE,
	type Mark,
	type MarkedBy,
	NO_MARK,
	type ReviewStore,
	type Stamp,
	type State,
	type StoredPart,
	type StoredRecord,
} from '../reviews/parts.js';
import type { CacheFile, Prepare } from './cache-file.js';
import { inTransaction } from './open-database.js';

/** Precision of the time when a record was last used, in milliseconds: a day. A build without news writes little. */
const USE_PRECISION = 86_400_000;

/** Records written in one transaction. A hundred cost little more than one. */
const BATCH_SIZE = 100;
/** Small changes written in one transaction. */
const MAX_CHANGES = 2_000;

/** A parameter of statements about every part: with its name, a row is found by the key. */
export const ALL_PARTS = JSON.stringify(PARTS);

const PRODUCT_COLUMNS =
	'account, part, pid, digest, fetched_at, used_at, revision, state, rating, validators, proof';

export interface ProductRow {
	readonly account: string;
	readonly part: Part;
	readonly pid: string;
	readonly digest: string;
	readonly fetched_at: number;
	readonly used_at: number;
	readonly revision: number;
	readonly state: State;
	readonly rating: string | null;
	readonly validators: string | null;
	readonly proof: number;
}

/**
 * Returns whether a row is as it was written. Its checksum includes the digest, which proves the record itself, so a row
 * can be checked without reading that.
 */
export function isIntact(row: ProductRow): boolean {
	return row.proof === proofOf(row);
}

function proofOf(row: Omit<ProductRow, 'proof'>): number {
	const { account, part, pid, digest, fetched_at, used_at, revision, state, rating, validators } = row;
	const key = [account, part, pid];
	return crc32(JSON.stringify([key, digest, fetched_at, used_at, revision, state, rating, validators]));
}

/** A record that is not in the file yet. */
interface WaitingRecord extends StoredPart {
	readonly pid: string;
	readonly part: Part;
	readonly packed: Packed;
}

/** A change of what is known of a record in the file. Without one, it was only used. */
interface WaitingChange extends Change {
	readonly pid: string;
	readonly part: Part;
}

/**
 * Keeps the last good records of every product from build to build, in a {@link CacheFile}. A damaged row or record is
 * missing, and fetched again.
 */
export class ProductStore implements ReviewStore {
	readonly #file: CacheFile;
	readonly #account: string;
	readonly #isDryRun: boolean;
	readonly #now: () => number;
	readonly #records = new Map<string, WaitingRecord>();
	readonly #changes = new Map<string, WaitingChange>();
	/** Marks that could not be written. */
	readonly #marks = new Map<string, Mark>();
	/** Without a file that can be written, records are kept for this run. */
	#canWrite: boolean;

	constructor(file: CacheFile, account: string, isDryRun = false, now: () => number = Date.now) {
		this.#file = file;
		this.#account = account;
		this.#isDryRun = isDryRun;
		this.#canWrite = !isDryRun;
		this.#now = now;
	}

	now(): number {
		return this.#now();
	}

	entry(pid: string, part: Part): StoredPart | undefined {
		const waiting = this.#records.get(keyOf(pid, part));
		if (waiting) return waiting;
		return this.#file.attempt('read', (prepare) => {
			const row = this.#row(prepare, pid, part);
			return row && this.#use(row);
		});
	}

	entries(pids: readonly string[], part: Part): ReadonlyMap<string, StoredPart> {
		const found = new Map<string, StoredPart>();
		const inFile: string[] = [];
		for (const pid of pids) {
			const waiting = this.#records.get(keyOf(pid, part));
			if (waiting) found.set(pid, waiting);
			else inFile.push(pid);
		}
		const rows: unknown = this.#file.rows(GET_ROWS, this.#account, part, JSON.stringify(inFile));
		for (const row of rows as ProductRow[]) if (isIntact(row)) found.set(row.pid, this.#use(row));
		return found;
	}

	read<Of extends Part>(pid: string, part: Of): StoredRecord<Of> | undefined {
		const waiting = this.#records.get(keyOf(pid, part));
		if (waiting) return { record: readPacked(part, waiting.packed), digest: waiting.digest };
		return this.#file.attempt('read', (prepare) => {
			const row = prepare(GET_RECORD).get(this.#account, part, pid) as unknown as
				| (ProductRow & Pick<Packed, 'codec' | 'value'>)
				| undefined;
			if (!row || !isIntact(row)) return undefined;
			const record = unlessFailing(() => readPacked(part, row));
			if (record === undefined) return undefined;
			this.#use(row);
			return { record, digest: row.digest };
		});
	}

	put<Of extends Part>(pid: string, part: Of, content: Content<Of>, stamp: Stamp): void {
		const { fetchedAt, revision } = stamp;
		const packed = packContent(part, content);
		const { digest, summary } = packed;
		const before = 'validators' in stamp ? undefined : this.entry(pid, part);
		const validators = before?.digest === digest ? before.validators : stamp.validators;
		const key = keyOf(pid, part);
		this.#changes.delete(key);
		const known = { digest, fetchedAt, revision, state: 'fetched', validators, summary } as const;
		this.#records.set(key, { ...known, pid, part, packed });
		if (this.#records.size >= BATCH_SIZE) this.flush();
	}

	touch(pid: string, part: Part, change: Change): void {
		const key = keyOf(pid, part);
		const record = this.#records.get(key);
		if (record) {
			this.#records.set(key, { ...record, ...change });
			return;
		}
		this.#changes.set(key, { ...this.#changes.get(key), ...change, pid, part });
		if (this.#changes.size >= MAX_CHANGES) this.flush();
	}

	/** At once, because events come from other processes, too, and each gets a revision of its own. */
	mark(named: readonly string[] | 'all', by: MarkedBy): void {
		if (named.length === 0) return;
		this.flush();
		const pids = named === 'all' ? this.#file.texts(GET_ALL_PIDS, this.#account, ALL_PARTS) : named;
		const mark = (_prepare: Prepare, database: DatabaseSync) => markIn(database, this.#account, pids, by);
		if (this.#canWrite && this.#file.write(mark)) return;
		for (const pid of pids) {
			const { revision, confirmed } = this.markOf(pid);
			const parts = PARTS.map((part) => this.entry(pid, part)?.revision ?? 0);
			const next = 1 + Math.max(revision, ...parts);
			this.#marks.set(pid, { revision: next, confirmed: by === 'person' ? next : confirmed });
		}
	}

	markOf(pid: string): Mark {
		const found = this.#file.attempt('read', (prepare) => prepare(GET_MARK).get(this.#account, pid));
		const mark = (found as unknown as Mark | undefined) ?? NO_MARK;
		const unwritten = this.#marks.get(pid);
		return unwritten && unwritten.revision > mark.revision ? unwritten : mark;
	}

	/** Returns products of which a part was not fetched since they were marked. */
	marked(): readonly string[] {
		this.flush();
		return this.#file.texts(GET_MARKED, this.#account, ALL_PARTS);
	}

	/** Returns products of which nothing was fetched since they were marked. */
	unfetched(): readonly string[] {
		this.flush();
		return this.#file.texts(GET_UNFETCHED, this.#account, ALL_PARTS);
	}

	pids(part: Part): readonly string[] {
		this.flush();
		return this.#file.texts(GET_PIDS, this.#account, part);
	}

	/** Writes everything that is waiting, in one transaction. */
	flush(): void {
		if (!this.#canWrite || this.#records.size + this.#changes.size === 0) return;
		const usedAt = this.#now();
		this.#canWrite = this.#file.write((prepare) => {
			for (const record of this.#records.values()) this.#writeRecord(prepare, record, usedAt);
			for (const change of this.#changes.values()) this.#writeChange(prepare, change, usedAt);
		});
		if (this.#canWrite) this.#forgetWaiting();
	}

	/**
	 * Deletes every record that was not used since then, of all accounts.
	 * @returns the number of products whose reviews were deleted.
	 */
	prune(since: number): number {
		this.flush();
		if (!this.#canWrite) return 0;
		return this.#file.attempt('pruned', (_prepare, database) => pruneProducts(database, since)) ?? 0;
	}

	/** Flushes and closes the file. Afterwards it is complete on its own, without a log. */
	close(): void {
		// Another build may have held the file before, and released it since.
		this.#canWrite = !this.#isDryRun;
		this.flush();
		// A log that could not be written to cannot be folded in either. On a locked file that would be the same wait again.
		this.#file.close(this.#canWrite);
		this.#forgetWaiting();
	}

	#row(prepare: Prepare, pid: string, part: Part): ProductRow | undefined {
		const row = prepare(GET_ROW).get(this.#account, part, pid) as unknown as ProductRow | undefined;
		return row && isIntact(row) ? row : undefined;
	}

	/** Returns what is known of a record in the file, with a change that is not in the file yet. Notes that it is used. */
	#use(row: ProductRow): StoredPart {
		const { pid, part, digest, validators, rating } = row;
		const change = this.#changes.get(keyOf(pid, part));
		if (!change && this.#now() - row.used_at > USE_PRECISION) this.touch(pid, part, {});
		return {
			digest,
			fetchedAt: change?.fetchedAt ?? row.fetched_at,
			revision: change?.revision ?? row.revision,
			state: change?.state ?? row.state,
			validators: validators ?? undefined,
			summary: rating ?? undefined,
		};
	}

	/** A record never replaces a newer one that another process wrote in the meantime. */
	#writeRecord(prepare: Prepare, record: WaitingRecord, usedAt: number): void {
		const { pid, part, digest, fetchedAt, revision, state, packed } = record;
		if (isNewer(this.#row(prepare, pid, part), record)) return;
		const { validators = null, summary: rating = null } = record;
		const known = { digest, fetched_at: fetchedAt, used_at: usedAt, revision, state, rating, validators };
		writeRow(prepare, { account: this.#account, part, pid, ...known });
		prepare(PUT_PAYLOAD).run(this.#account, part, pid, packed.codec, packed.value);
	}

	#writeChange(prepare: Prepare, change: WaitingChange, usedAt: number): void {
		const { pid, part, fetchedAt, revision, state } = change;
		const row = this.#row(prepare, pid, part);
		if (!row) return;
		writeRow(prepare, {
			...row,
			fetched_at: fetchedAt ?? row.fetched_at,
			revision: revision ?? row.revision,
			state: state ?? row.state,
			used_at: usedAt,
		});
	}

	#forgetWaiting(): void {
		this.#records.clear();
		this.#changes.clear();
	}
}

function keyOf(pid: string, part: Part): string {
	return `${part} ${pid}`;
}

/** Returns whether a row is newer than a record: by its revision, or by its time. One from the future is not: its clock was wrong. */
function isNewer(row: ProductRow | undefined, { revision, fetchedAt }: Stamp): boolean {
	if (!row || row.revision !== revision) return row !== undefined && row.revision > revision;
	return row.fetched_at > fetchedAt && row.fetched_at <= fetchedAt + CLOCK_TOLERANCE;
}

const OF_PRODUCT = 'WHERE account = ? AND part = ? AND pid = ?';
const GET_ROW = `SELECT ${PRODUCT_COLUMNS} FROM products ${OF_PRODUCT}`;
const GET_ROWS = `SELECT ${PRODUCT_COLUMNS} FROM products
	WHERE account = ? AND part = ? AND pid IN (SELECT value FROM json_each(?))`;
/** Takes an account, a part and a product ID. */
export const GET_RECORD = `SELECT ${PRODUCT_COLUMNS}, codec, value FROM products JOIN payloads USING (account, part, pid) ${OF_PRODUCT}`;
const GET_PIDS = 'SELECT pid FROM products WHERE account = ? AND part = ?';
const GET_ALL_PIDS =
	'SELECT DISTINCT pid FROM products WHERE account = ? AND part IN (SELECT value FROM json_each(?))';
const PUT_ROW = `INSERT OR REPLACE INTO products (${PRODUCT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PUT_PAYLOAD = `INSERT INTO payloads (account, part, pid, codec, value) VALUES (?, ?, ?, ?, ?)
	ON CONFLICT (account, part, pid) DO UPDATE SET codec = excluded.codec, value = excluded.value`;

const GET_MARK = 'SELECT revision, confirmed FROM marks WHERE account = ? AND pid = ?';
const ITS_PARTS =
	'FROM products WHERE account = marks.account AND part IN (SELECT value FROM json_each(?2)) AND pid = marks.pid';
const GET_MARKED = `SELECT pid FROM marks WHERE account = ?1 AND EXISTS (SELECT 1 ${ITS_PARTS} AND products.revision < marks.revision)`;
const GET_UNFETCHED = `SELECT pid FROM marks WHERE account = ?1
	AND EXISTS (SELECT 1 ${ITS_PARTS}) AND NOT EXISTS (SELECT 1 ${ITS_PARTS} AND products.revision >= marks.revision)`;

function writeRow(prepare: Prepare, row: Omit<ProductRow, 'proof'>): void {
	const { account, part, pid, digest, fetched_at, used_at, revision, state, rating, validators } = row;
	const known = [digest, fetched_at, used_at, revision, state, rating, validators] as const;
	prepare(PUT_ROW).run(account, part, pid, ...known, proofOf(row));
}

/** Marks products of an account, in a transaction of the caller. Each gets a revision above all that are known of it. */
export function markIn(database: DatabaseSync, account: string, pids: readonly string[], by: MarkedBy): void {
	const put = database.prepare(
		`INSERT INTO marks (account, pid, revision, confirmed)
		SELECT ?1, ?2, next, CASE ?3 WHEN 'person' THEN next ELSE 0 END FROM (
			SELECT 1 + coalesce(max(revision), 0) AS next FROM (
				SELECT revision FROM marks WHERE account = ?1 AND pid = ?2
				UNION ALL SELECT revision FROM products
				WHERE account = ?1 AND part IN (SELECT value FROM json_each(?4)) AND pid = ?2
			)
		) WHERE true
		ON CONFLICT (account, pid) DO UPDATE SET
			revision = excluded.revision, confirmed = max(confirmed, excluded.confirmed)`,
	);
	for (const pid of pids) put.run(account, pid, by, ALL_PARTS);
}

function pruneProducts(database: DatabaseSync, since: number): number {
	return inTransaction(database, () => {
		const unused = "SELECT count(*) AS count FROM products WHERE used_at < ? AND part = 'reviews'";
		const { count } = database.prepare(unused).get(since) as { count: number };
		const keys = 'SELECT account, part, pid FROM products WHERE used_at < ?';
		database.prepare(`DELETE FROM payloads WHERE (account, part, pid) IN (${keys})`).run(since);
		database.prepare('DELETE FROM products WHERE used_at < ?').run(since);
		const orphaned = `NOT EXISTS (SELECT 1 FROM products WHERE account = marks.account
			AND part IN (SELECT value FROM json_each(?)) AND pid = marks.pid)`;
		if (count > 0) database.prepare(`DELETE FROM marks WHERE ${orphaned}`).run(ALL_PARTS);
		return count;
	});
}
