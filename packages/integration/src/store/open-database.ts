import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID, readIdentity, SCHEMA_VERSION, whyNotAStore } from './identity.js';
import { setAside } from './set-aside.js';

/** What is known of each value lies apart from the values: to look through it reads a few megabytes, not hundreds. */
const SCHEMA = `
	CREATE TABLE entries (
		account TEXT NOT NULL,
		kind TEXT NOT NULL,
		pid TEXT NOT NULL,
		digest TEXT NOT NULL,
		fetched_at INTEGER NOT NULL,
		used_at INTEGER NOT NULL,
		state TEXT NOT NULL,
		validators TEXT,
		PRIMARY KEY (account, kind, pid)
	) WITHOUT ROWID;
	CREATE TABLE contents (
		account TEXT NOT NULL,
		kind TEXT NOT NULL,
		pid TEXT NOT NULL,
		codec INTEGER NOT NULL,
		value BLOB NOT NULL,
		PRIMARY KEY (account, kind, pid)
	) WITHOUT ROWID;
	PRAGMA application_id = ${APPLICATION_ID};
	PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Opens the file of the store, or makes it. A file that is damaged, foreign or of another schema is renamed to
 * `<file>.set-aside` and a new one is made; `onSetAside` hears why.
 * @throws Error where no file can be made at all, such as in a folder that cannot be written.
 */
export function openDatabase(file: string, onSetAside: (reason: string) => void): DatabaseSync {
	mkdirSync(dirname(file), { recursive: true });
	try {
		return connect(file);
	} catch (error) {
		if (!isUnusable(error)) throw error;
		setAside(file);
		onSetAside(error.message);
		return connect(file);
	}
}

/** The file is of someone else, or of another version. */
export class UnusableFileError extends Error {}

function connect(file: string): DatabaseSync {
	const database = new DatabaseSync(file, { timeout: 5_000 });
	try {
		database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
		database.exec('BEGIN IMMEDIATE');
		prepareSchema(database);
		database.exec('COMMIT');
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function prepareSchema(database: DatabaseSync): void {
	const identity = readIdentity(database);
	const reason = whyNotAStore(identity);
	if (!reason) return;
	const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
	if (tables.count > 0 || identity.application !== 0) throw new UnusableFileError(reason);
	database.exec(SCHEMA);
}

/** Whether an error says that the file is damaged, as SQLITE_CORRUPT (11) and SQLITE_NOTADB (26) do, or not ours. */
export function isUnusable(error: unknown): error is Error {
	if (error instanceof UnusableFileError) return true;
	const code = (error as { errcode?: unknown }).errcode;
	return error instanceof Error && typeof code === 'number' && [11, 26].includes(code & 0xff);
}
