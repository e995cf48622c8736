import {
	closeSync,
	mkdirSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { STORE_FOLDER } from '../constants.js';
import { ENTRY_TABLES, inTransaction } from './rows.js';

/** Marks the file as ours ("APRv" in ASCII). SQLite keeps it in the file's header. */
const APPLICATION_ID = 0x41505276;

const SCHEMA_VERSION = 7;

/** What a database says that it is. Both are 0 if nothing was ever set. */
export interface Identity {
	readonly application: number;
	readonly version: number;
}

/** Reads the identity of an open database. */
function readIdentity(database: DatabaseSync): Identity {
	return {
		application: pragma(database, 'application_id'),
		version: pragma(database, 'user_version'),
	};
}

const HEADER_LENGTH = 100;

const MAGIC = 'SQLite format 3\0';

/**
 * Reads the identity from a file's header without SQLite, which would tidy up somebody else's database. Changes that are
 * still in the log beside the file are not in its header.
 * @returns `undefined` if the file is not a database.
 * @throws Error of the file system if the file cannot be read.
 */
export function readHeader(file: string): Identity | undefined {
	const header = Buffer.alloc(HEADER_LENGTH);
	const descriptor = openSync(file, 'r');
	try {
		if (readSync(descriptor, header, 0, HEADER_LENGTH, 0) < HEADER_LENGTH) return undefined;
	} finally {
		closeSync(descriptor);
	}
	if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
	return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) };
}

/** Why a database is not a store that this version can use; `undefined` if it is one. */
export function whyNotAStore({ application, version }: Identity): string | undefined {
	if (application !== APPLICATION_ID) return 'it is not a file of this store';
	return version === SCHEMA_VERSION ? undefined : `it has schema version ${version}`;
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
	const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, number> | undefined;
	return row?.[name] ?? 0;
}

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
class UnusableFileError extends Error {}

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

/**
 * Makes a folder for files of one machine. A new folder gets its own `.gitignore`, which keeps it out of any repository
 * around it. An existing folder is left as it is.
 * @throws Error if the folder cannot be made.
 * @example makeFolder('/shop/.cache/product-reviews')
 */
export function makeFolder(folder: string): void {
	const first = mkdirSync(folder, { recursive: true });
	// node_modules is never in a repository.
	if (first === undefined || /[\\/]node_modules[\\/]/.test(folder)) return;
	try {
		writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
	} catch {
		// If the folder cannot be written, writing the actual file will say so.
	}
}

/**
 * Folder of a project's store.
 * @param root of the project, absolute.
 * @param given the option `cacheDir`, relative to the root.
 * @param astroCacheDir Astro's own `cacheDir`, absolute.
 */
export function storeFolder(
	root: string,
	given: string | undefined,
	astroCacheDir = join(root, 'node_modules/.astro'),
): string {
	return given ? resolve(root, given) : join(astroCacheDir, STORE_FOLDER);
}

/** Bytes of a store's file and its log. */
export function sizeOfStore(file: string): number {
	return [file, `${file}-wal`].reduce(
		(sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
		0,
	);
}

/** Tells a file from a later one of the same name; `undefined` if there is no file. */
export function identify(file: string): string | undefined {
	const found = statSync(file, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev} ${found.ino}`;
}

/**
 * Renames an unusable file of the store to `<file>.set-aside`. This process must not have it open. If another build has
 * already set it aside and made a new file, that one stays.
 * @param identity of the unusable file.
 */
export function setAside(file: string, identity: string | undefined): void {
	if (identify(file) !== identity) return;
	// The log belongs to the old file. Next to a new one it would be damage.
	for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	renameSync(file, `${file}.set-aside`);
}

/** How long to wait for a build that writes, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * Opens the existing file of a store. It never makes a file, and leaves an unusable one as it is.
 * @throws Error if the file is missing (`ENOENT`), cannot be read, or is not a store that this version can use.
 */
export function openExistingFile(file: string): DatabaseSync {
	const reason = whyUnusable(file);
	if (reason) throw new UnusableFileError(reason);
	const database = new DatabaseSync(file, { timeout: TIMEOUT });
	try {
		database.exec('PRAGMA synchronous = NORMAL');
		// The header may have changed since, and does not include what is in the log.
		const now = whyNotAStore(readIdentity(database));
		if (now) throw new UnusableFileError(now);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function whyUnusable(file: string): string | undefined {
	const header = readHeader(file);
	if (!header) return 'it is not a database';
	const reason = whyNotAStore(header);
	if (!reason || header.application !== 0 || !hasLog(file)) return reason;
	// While a build is making the store, its identity is only in the log.
	return whyNotAStore(readBesideLog(file));
}

function hasLog(file: string): boolean {
	return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A read-only connection leaves the log as it is, in case the database is somebody else's. */
function readBesideLog(file: string): Identity {
	const database = new DatabaseSync(file, { readOnly: true, timeout: TIMEOUT });
	try {
		return readIdentity(database);
	} catch (error) {
		if (isUnusable(error)) return { application: 0, version: 0 };
		throw error;
	} finally {
		database.close();
	}
}
