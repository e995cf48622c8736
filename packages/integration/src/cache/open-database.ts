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
import type { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../base/sqlite.js';
import { CACHE_FOLDER } from '../constants.js';

/** Marks the file as ours ("APRv" in ASCII). SQLite keeps it in the file's header. */
const APPLICATION_ID = 0x41505276;

const SCHEMA_VERSION = 8;

/**
 * Tables of the cache. Facts about a product are kept apart from its payload: so a scan reads megabytes, not hundreds.
 * Payloads have row ids: without them, each would take an extra page, and the file nearly twice the space. `site` is an
 * output folder. Numbers are REAL: of an integer beyond 2^53, which damage may make, node:sqlite throws.
 */
const SCHEMA = `
	CREATE TABLE products (
		account TEXT NOT NULL,
		part TEXT NOT NULL,
		pid TEXT NOT NULL,
		digest TEXT NOT NULL,
		fetched_at REAL NOT NULL,
		used_at REAL NOT NULL,
		revision REAL NOT NULL,
		state TEXT NOT NULL,
		rating TEXT,
		validators TEXT,
		proof REAL NOT NULL,
		PRIMARY KEY (account, part, pid)
	) WITHOUT ROWID;
	CREATE TABLE payloads (
		account TEXT NOT NULL,
		part TEXT NOT NULL,
		pid TEXT NOT NULL,
		codec REAL NOT NULL,
		value BLOB NOT NULL,
		PRIMARY KEY (account, part, pid)
	);
	CREATE TABLE marks (
		account TEXT NOT NULL,
		pid TEXT NOT NULL,
		revision REAL NOT NULL,
		confirmed REAL NOT NULL,
		PRIMARY KEY (account, pid)
	) WITHOUT ROWID;
	CREATE TABLE builds (
		site TEXT PRIMARY KEY,
		id TEXT NOT NULL,
		account TEXT NOT NULL,
		products REAL NOT NULL
	) WITHOUT ROWID;
	CREATE TABLE pages (
		site TEXT NOT NULL,
		name TEXT NOT NULL,
		row TEXT NOT NULL,
		next TEXT,
		PRIMARY KEY (site, name)
	);
	CREATE INDEX unfinished ON pages (site, name) WHERE next IS NOT NULL;
	CREATE TABLE page_products (
		site TEXT NOT NULL,
		pid TEXT NOT NULL,
		part TEXT NOT NULL,
		version TEXT NOT NULL,
		pages TEXT NOT NULL,
		proof REAL NOT NULL,
		PRIMARY KEY (site, pid, part)
	) WITHOUT ROWID;
	CREATE TABLE undelivered (
		site TEXT NOT NULL,
		file TEXT NOT NULL,
		revision TEXT NOT NULL,
		PRIMARY KEY (site, file)
	) WITHOUT ROWID;
	PRAGMA application_id = ${APPLICATION_ID};
	PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** The file is not ours, of another version, or damaged. */
export class UnusableFileError extends Error {}

/** Longest wait for a build that writes, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * Opens the file of the cache, or makes it. A file that is damaged, not ours, or of another schema is renamed to
 * `<file>.set-aside`, and a new one is made.
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

export function connect(file: string): DatabaseSync {
	return openWith(file, (database) => {
		database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
		// A prepared database can be read while another process writes, however long that takes.
		if (!whyNotACache(database)) return;
		inTransaction(database, () => prepareSchema(database));
		// Commands read what the file is from its header.
		database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
	});
}

function openWith(file: string, prepare: (database: DatabaseSync) => void): DatabaseSync {
	const database = openSqlite(file, TIMEOUT);
	try {
		prepare(database);
		assertWhole(database);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function prepareSchema(database: DatabaseSync): void {
	const reason = whyNotACache(database);
	// Another process may have prepared it in the meantime.
	if (!reason) return;
	const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
	if (!isEmpty || pragma(database, 'application_id') !== 0) throw new UnusableFileError(reason);
	database.exec(SCHEMA);
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
	const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, number> | undefined;
	return row?.[name] ?? 0;
}

/** Says why a database is not a cache that this version can use; `undefined` if it is one. */
function whyNotACache(database: DatabaseSync): string | undefined {
	return explainIdentity(pragma(database, 'application_id'), pragma(database, 'user_version'));
}

/** Runs an action in a transaction, which is rolled back if it throws. Waits while another process writes. */
export function inTransaction<Result>(database: DatabaseSync, action: () => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = action();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		try {
			database.exec('ROLLBACK');
		} catch {
			// After some errors, such as a full disk, SQLite has ended the transaction itself.
		}
		throw error;
	}
}

function explainIdentity(application: number, version: number): string | undefined {
	if (application !== APPLICATION_ID) return 'it is not a file of this cache';
	return version === SCHEMA_VERSION ? undefined : `it has schema version ${version}`;
}

/** Reads what is known of products as a whole: damage of the file is found before anything is decided. */
function assertWhole(database: DatabaseSync): void {
	const [found] = database.prepare('PRAGMA quick_check(products)').all();
	const result = Object.values(found ?? {})[0];
	if (result !== 'ok') throw new UnusableFileError(`it is damaged: ${String(result)}`);
}

/** Returns whether an error means that the file is damaged or not ours. */
export function isUnusable(error: unknown): error is Error {
	const code = sqliteCode(error);
	// Its header says that the tables are ours, so whoever changed them did so since.
	const lacksTable = code === SQLITE_ERROR && /^no such (?:table|column)/.test((error as Error).message);
	return (
		lacksTable || error instanceof UnusableFileError || code === SQLITE_CORRUPT || code === SQLITE_NOTADB
	);
}

const SQLITE_ERROR = 1;

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** A file that somebody else has locked. */
export const SQLITE_BUSY = 5;

/** SQLite's primary result code; `undefined` for an error that is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
	const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
	return typeof code === 'number' ? code & 0xff : undefined;
}

/** Returns whether an error is one of the file: of the system, of SQLite, or because it is damaged or not ours. */
export function isOfFile(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code !== undefined || sqliteCode(error) !== undefined || isUnusable(error);
}

/**
 * Makes a folder for files of one machine. A new folder gets its own `.gitignore`, which keeps it out of any repository
 * around it. An existing folder is left as it is.
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

export function cacheFolder(
	root: string,
	given: string | undefined,
	astroCacheDir = join(root, 'node_modules/.astro'),
): string {
	return given ? resolve(root, given) : join(astroCacheDir, CACHE_FOLDER);
}

export function sizeOfCache(file: string): number {
	const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	return sizeOf(file) + sizeOf(`${file}-wal`);
}

export function identify(file: string): string | undefined {
	const found = statSync(file, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev} ${found.ino}`;
}

/**
 * Renames an unusable file of the cache to `<file>.set-aside`. This process must not have it open. If another build has
 * already set it aside and made a new file, that one stays.
 */
export function setAside(file: string, identity: string | undefined): void {
	if (identify(file) !== identity) return;
	// The log belongs to the old file. Next to a new one it would be damage.
	for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	renameSync(file, `${file}.set-aside`);
}

/**
 * Opens the existing file of a cache. It never makes a file, and leaves an unusable one as it is. Whatever is committed is on
 * the disk.
 */
export function openExistingFile(file: string): DatabaseSync {
	const reason = explainHeader(file);
	if (reason) throw new UnusableFileError(reason);
	return openWith(file, (database) => database.exec('PRAGMA synchronous = FULL'));
}

const HEADER_LENGTH = 100;

const MAGIC = 'SQLite format 3\0';

/** Reads a file's header without SQLite, which would tidy up somebody else's database. */
function explainHeader(file: string): string | undefined {
	const header = Buffer.alloc(HEADER_LENGTH);
	const descriptor = openSync(file, 'r');
	try {
		readSync(descriptor, header, 0, HEADER_LENGTH, 0);
	} finally {
		closeSync(descriptor);
	}
	if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'it is not a database';
	return explainIdentity(header.readUInt32BE(68), header.readUInt32BE(60));
}
