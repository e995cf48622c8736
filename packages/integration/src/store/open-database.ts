import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID, readIdentity, SCHEMA_VERSION, whyNotAStore } from './identity.js';
import { inTransaction } from './in-transaction.js';
import { makeFolder } from './make-folder.js';
import { ENTRY_TABLES } from './rows.js';
import { identify, setAside } from './set-aside.js';

const ENTRY = `(
		account TEXT NOT NULL,
		kind TEXT NOT NULL,
		pid TEXT NOT NULL,
		digest TEXT NOT NULL,
		fetched_at INTEGER NOT NULL,
		used_at INTEGER NOT NULL,
		state TEXT NOT NULL,
		validators TEXT,
		summary TEXT,
		proof INTEGER NOT NULL,
		block INTEGER,
		PRIMARY KEY (account, kind, pid)
	) WITHOUT ROWID`;

/**
 * What is known of each value is kept apart from the values, so a scan reads a few megabytes, not hundreds. Marks are apart
 * from all others: they are few, and are looked through whenever a store is opened. Values have row ids: without them, all
 * but the shortest would take an extra page each, and the file nearly twice the space. What was made of values is apart from
 * them, several in a block: an entry names its block. `shown` says which pages may show a product.
 */
const SCHEMA = `
	CREATE TABLE entries ${ENTRY};
	CREATE TABLE marks ${ENTRY};
	CREATE TABLE contents (
		account TEXT NOT NULL,
		kind TEXT NOT NULL,
		pid TEXT NOT NULL,
		codec INTEGER NOT NULL,
		value BLOB NOT NULL,
		PRIMARY KEY (account, kind, pid)
	);
	CREATE TABLE blocks (
		block INTEGER PRIMARY KEY,
		codec INTEGER NOT NULL,
		value BLOB NOT NULL
	);
	CREATE TABLE shown (
		account TEXT NOT NULL,
		pid TEXT NOT NULL,
		page TEXT NOT NULL,
		PRIMARY KEY (account, pid, page)
	) WITHOUT ROWID;
	PRAGMA application_id = ${APPLICATION_ID};
	PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Opens the file of the store, or makes it. A file that is damaged, not ours, or of another schema is renamed to
 * `<file>.set-aside`, and a new one is made.
 * @param onSetAside called with the reason.
 * @throws Error if no file can be made at all, such as in a folder that cannot be written.
 */
export function openDatabase(file: string, onSetAside: (reason: string) => void): DatabaseSync {
	makeFolder(dirname(file));
	const identity = identify(file);
	try {
		return connect(file);
	} catch (error) {
		if (!isUnusable(error)) throw error;
		setAside(file, identity);
		onSetAside(error.message);
		return connect(file);
	}
}

/** The file is not ours, or of another version. */
export class UnusableFileError extends Error {}

function connect(file: string): DatabaseSync {
	const database = new DatabaseSync(file, { timeout: 5_000 });
	try {
		database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
		// A prepared database can be read while another process writes, however long that takes.
		if (!isPrepared(database)) inTransaction(database, () => prepareSchema(database));
		assertTables(database);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function isPrepared(database: DatabaseSync): boolean {
	return whyNotAStore(readIdentity(database)) === undefined;
}

function prepareSchema(database: DatabaseSync): void {
	const identity = readIdentity(database);
	const reason = whyNotAStore(identity);
	// Another process may have prepared it in the meantime.
	if (!reason) return;
	const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
	if (tables.count > 0 || identity.application !== 0) throw new UnusableFileError(reason);
	database.exec(SCHEMA);
}

const TABLES = [...ENTRY_TABLES, 'contents', 'blocks', 'shown'];

/**
 * Somebody may have changed the tables of a file that is marked as ours. So may a flipped bit: SQLite does not mind a column
 * called "Digest", but all rows would lack their digest, nor two tables in one place.
 * @throws UnusableFileError if they are not those of a store.
 */
export function assertTables(database: DatabaseSync): void {
	const tables = database
		.prepare('SELECT name, sql, rootpage FROM sqlite_schema')
		.all()
		.filter(({ rootpage }) => rootpage !== 0);
	const areOurs = TABLES.every((table) =>
		tables.some(({ name, sql }) => name === table && SCHEMA.includes(String(sql))),
	);
	const areApart = new Set(tables.map(({ rootpage }) => rootpage)).size === tables.length;
	if (areOurs && areApart) return;
	throw new UnusableFileError('its tables are not those of this store');
}

/** Whether an error means that the file is damaged or not ours. */
export function isUnusable(error: unknown): error is Error {
	const code = codeOf(error);
	return error instanceof UnusableFileError || code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** SQLite's primary result code of an error, without the extended part. */
function codeOf(error: unknown): number | undefined {
	const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
	return typeof code === 'number' ? code & 0xff : undefined;
}
