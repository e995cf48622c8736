import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { count } from '../text/words.js';
import { type BlockReader, createBlockReader } from './blocks.js';
import { identify, isUnusable, openDatabase, setAside } from './open-database.js';
import type { Kind } from './review-store.js';
import { type Damage, deletePages, mendMarks, mendRows, pruneRows, renewIndex } from './row-upkeep.js';
import { createRowWriter, type WriteRows } from './row-writer.js';
import {
	byKind,
	ENTRY_COLUMNS,
	type EntryRow,
	type EntryTable,
	isWhole,
	prepareToRead,
	type Row,
	toRow,
	unpackRow,
} from './rows.js';

/** The file of a store, with operations that warn instead of throwing. */
export interface GuardedFile {
	/** `false` after the store was closed. */
	readonly isOpen: boolean;
	/**
	 * Runs an operation. If the file turns out to be unusable, it is set aside once, and the operation runs on a new file.
	 * @param what was attempted, as a past participle, for the warning: "written".
	 * @returns `undefined` if the operation failed, or the store is closed.
	 */
	attempt<Result>(what: string, action: (file: StoreFile) => Result): Result | undefined;
	/**
	 * Makes good for lost marks, before anything is read.
	 * @param now milliseconds since 1970.
	 * @returns whether this could be done, or was not needed.
	 */
	mendMarks(now: number): boolean;
	/** Removes damaged rows. @param now milliseconds since 1970. */
	mend(now: number): void;
	/** Closes the file, and warns of the damaged rows that were found. */
	close(): void;
}

/**
 * Opens the file of a store. A damaged file is set aside, even if the damage is found only later. Single damaged rows are
 * skipped, counted, and reported when the store is closed.
 * @param warn called once for each kind of trouble.
 * @throws Error if no file can be made at all.
 */
export function openGuardedFile(file: string, account: string, warn: (message: string) => void): GuardedFile {
	const warned = new Set<string>();
	const damaged = new Set<string>();
	let areAllMarked = false;
	const addDamaged = (kind: string, pid: string) => void damaged.add(`${kind} ${pid}`);
	const warnSetAside = (reason: string) => warn(describeSetAside(file, reason));
	const events = { onSetAside: warnSetAside, onDamaged: (kind: Kind, pid: string) => addDamaged(kind, pid) };
	let open: StoreFile | undefined = openStoreFile(file, account, events);
	let isRenewed = false;

	function renew({ message }: Error): StoreFile {
		isRenewed = true;
		open?.close();
		setAside(file, open?.identity);
		warnSetAside(message);
		open = openStoreFile(file, account, events);
		return open;
	}
	function attempt<Result>(what: string, action: (file: StoreFile) => Result): Result | undefined {
		if (!open) return undefined;
		try {
			try {
				return action(open);
			} catch (error) {
				if (isRenewed || !isUnusable(error)) throw error;
				return action(renew(error));
			}
		} catch (error) {
			if (!warned.has(what))
				warn(
					`The store could not be ${what}: ${(error as Error).message}. The build goes on. [PR_CACHE_UNUSABLE]`,
				);
			warned.add(what);
			return undefined;
		}
	}
	const note = (damage: Damage | undefined) => {
		for (const { kind, pid } of damage?.rows ?? []) addDamaged(kind, pid);
		areAllMarked ||= damage?.areAllMarked === true;
	};
	return {
		get isOpen() {
			return open !== undefined;
		},
		attempt,
		mendMarks(now) {
			const found = attempt('mended', (opened) => opened.mendMarks(now));
			note(found);
			return found !== undefined;
		},
		mend: (now) => note(attempt('mended', (opened) => opened.mend(damaged.size > 0, now))),
		close() {
			attempt('closed', (opened) => opened.close());
			if (open && (damaged.size > 0 || areAllMarked)) warn(describeDamage(damaged.size, areAllMarked));
			open = undefined;
		},
	};
}

function describeSetAside(file: string, reason: string): string {
	const to = `${basename(file)}.set-aside`;
	return `The store cannot be used (${reason}). It was renamed to "${to}"; a new one is built. [PR_CACHE_UNUSABLE]`;
}

function describeDamage(rows: number, areAllMarked: boolean): string {
	return [
		rows > 0
			? `The store had ${count(rows, 'damaged row')}. Damaged rows are ignored and fetched again.`
			: 'The store was damaged, and has been mended.',
		...(areAllMarked
			? ['It may have lost which products have changed, so all products are requested again.']
			: []),
		'If this keeps happening, check the disk, and the cache that the store is restored from.',
	].join(' ');
}

/** The open file of a store, with the rows of one account. Each operation throws what SQLite throws. */
interface StoreFile extends RowReader {
	/** The result of {@link identify} for the file. */
	readonly identity: string | undefined;
	readonly findAttachments: BlockReader['find'];
	readonly readAttachments: BlockReader['read'];
	readonly write: WriteRows;
	/** Removes damaged rows, as {@link mendRows} does, unless everything was found: then no damaged key hides anything. */
	mend(hasDamage: boolean, now: number): Damage;
	/** Looks for lost marks, as {@link mendMarks} does. */
	mendMarks(now: number): Damage;
	/** Deletes unused rows, as {@link pruneRows} does. */
	prune(since: number): number;
	deletePages(names: readonly string[]): void;
	/** Folds the log into the file, so a CI cache archives one file. */
	tidy(): void;
	close(): void;
}

/** Callbacks about the state of a file. */
interface StoreFileEvents {
	/** The file could not be used, and a new one was made. */
	onSetAside(reason: string): void;
	/** A row is not what was written. */
	onDamaged(kind: Kind, pid: string): void;
}

/** Opens the file of a store, as {@link openDatabase} does. */
function openStoreFile(file: string, account: string, events: StoreFileEvents): StoreFile {
	const database = openDatabase(file, events.onSetAside);
	const blocks = createBlockReader(database, account);
	const write = createRowWriter(database, account);
	let isDamaged = false;
	let hasMissed = false;
	const reader = createRowReader(database, account, {
		onDamaged(kind, pid) {
			isDamaged = true;
			events.onDamaged(kind, pid);
		},
		onMissing(kind) {
			// Marks are always mended, and most sites keep no output.
			hasMissed ||= kind !== 'mark' && kind !== 'output';
		},
	});
	return {
		identity: identify(file),
		...reader,
		findAttachments: blocks.find,
		readAttachments: blocks.read,
		write(...waiting) {
			blocks.clear();
			if (isDamaged) renewIndex(database);
			isDamaged = false;
			return write(...waiting);
		},
		mend: (hasDamage, now) =>
			hasDamage || hasMissed ? mendRows(database, hasDamage, now) : mendMarks(database, now),
		mendMarks: (now) => mendMarks(database, now),
		prune: (since) => pruneRows(database, since),
		deletePages: (names) => deletePages(database, account, names),
		tidy: () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
		close: () => database.close(),
	};
}

/** Reads the rows of one account. Damaged rows are skipped. Each operation throws what SQLite throws. */
interface RowReader {
	find<Value>(kind: Kind, pid: string): (EntryRow & { readonly value: Value }) | undefined;
	findEntry(kind: Kind, pid: string): EntryRow | undefined;
	/** Entries of the products that have one. */
	findEntries(kind: Kind, pids: readonly string[]): readonly (EntryRow & { readonly pid: string })[];
	hasAny(kind: Kind): boolean;
	/** Names of the pages that may show one of these products. */
	findPages(pids: readonly string[]): readonly string[];
	/** All products that some page may show. */
	findShown(): readonly string[];
	/** Product ids of all rows of a kind; for pages, their names. */
	findPids(kind: Kind): readonly string[];
}

/** What reading may find. */
interface RowEvents {
	/** A row is not what was written. Called every time it is read. */
	onDamaged(kind: Kind, pid: string): void;
	/** There is no row of a value. */
	onMissing(kind: Kind): void;
}

function createRowReader(
	database: DatabaseSync,
	account: string,
	{ onDamaged, onMissing }: RowEvents,
): RowReader {
	const of = byKind((table) => prepareStatements(database, table));
	const { pages, shown } = prepareForPages(database);
	const proven = <Found extends EntryRow>(kind: Kind, pid: string, found: unknown): Found | undefined => {
		if (!found) {
			onMissing(kind);
			return undefined;
		}
		const read = toRow<Found>(found);
		if (isWhole({ account, kind, pid }, read)) return read;
		onDamaged(kind, pid);
		return undefined;
	};
	return {
		find<Value>(kind: Kind, pid: string) {
			const found = proven<Row>(kind, pid, of(kind).row.get(account, kind, pid));
			try {
				return found && { ...found, value: unpackRow<Value>(found) };
			} catch {
				onDamaged(kind, pid);
				return undefined;
			}
		},
		findEntry: (kind, pid) => proven(kind, pid, of(kind).entry.get(account, kind, pid)),
		findEntries(kind, pids) {
			const rows = of(kind).entries.all(account, kind, JSON.stringify(pids)) as unknown as { pid: string }[];
			if (rows.length < pids.length) onMissing(kind);
			return rows.flatMap((found) => proven<EntryRow & { pid: string }>(kind, found.pid, found) ?? []);
		},
		hasAny: (kind) => of(kind).any.get(account, kind) !== undefined,
		findPages: (pids) => pages.all(account, JSON.stringify(pids)).map(({ page }) => String(page)),
		findShown: () => shown.all(account).map(({ pid }) => String(pid)),
		findPids: (kind) =>
			of(kind)
				.pids.all(account, kind)
				.map(({ pid }) => String(pid)),
	};
}

function prepareForPages(database: DatabaseSync) {
	return {
		pages: database.prepare(
			'SELECT DISTINCT page FROM shown WHERE account = ? AND pid IN (SELECT value FROM json_each(?)) ORDER BY page',
		),
		shown: database.prepare('SELECT DISTINCT pid FROM shown WHERE account = ? ORDER BY pid'),
	};
}

function prepareStatements(database: DatabaseSync, table: EntryTable) {
	const ofProduct = 'WHERE account = ? AND kind = ? AND pid = ?';
	const ofProducts = 'WHERE account = ? AND kind = ? AND pid IN (SELECT value FROM json_each(?))';
	return {
		row: prepareToRead(
			database,
			`SELECT ${ENTRY_COLUMNS}, codec, value FROM ${table} LEFT JOIN contents USING (account, kind, pid) ${ofProduct}`,
		),
		entry: prepareToRead(database, `SELECT ${ENTRY_COLUMNS} FROM ${table} ${ofProduct}`),
		entries: prepareToRead(database, `SELECT pid, ${ENTRY_COLUMNS} FROM ${table} ${ofProducts}`),
		pids: database.prepare(`SELECT pid FROM ${table} WHERE account = ? AND kind = ?`),
		any: database.prepare(`SELECT 1 FROM ${table} WHERE account = ? AND kind = ? LIMIT 1`),
	};
}
