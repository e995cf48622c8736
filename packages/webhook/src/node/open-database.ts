import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from './make-folder.js';

/** Marks the file as ours ("APRw" in ASCII); SQLite stores it in the file's header. */
const APPLICATION_ID = 0x41505277;
const SCHEMA_VERSION = 2;

const SCHEMA = `
	CREATE TABLE changes (
		pid TEXT PRIMARY KEY,
		sequence INTEGER NOT NULL,
		first_at INTEGER NOT NULL,
		last_at INTEGER NOT NULL
	) WITHOUT ROWID;
	CREATE INDEX changes_by_sequence ON changes (sequence);
	-- Numbers are never reused: otherwise a long rebuild would settle changes that arrived after it.
	CREATE TABLE numbers (last INTEGER NOT NULL);
	INSERT INTO numbers VALUES (0);
	CREATE TABLE events (id TEXT PRIMARY KEY, received_at INTEGER NOT NULL) WITHOUT ROWID;
	CREATE INDEX events_by_time ON events (received_at);
	-- The process that rebuilds, and the command it runs: one row, or none.
	CREATE TABLE holder (
		pid INTEGER NOT NULL,
		started TEXT NOT NULL,
		token TEXT NOT NULL,
		command_pid INTEGER,
		command_started TEXT
	);
	PRAGMA application_id = ${APPLICATION_ID};
	PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Opens the file of waiting changes, or creates it.
 * @throws Error for a file that is not ours, is damaged or cannot be created. It may hold changes, so it is never
 * replaced automatically.
 */
export function openDatabase(file: string): DatabaseSync {
	makeFolder(dirname(file));
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, { timeout: 5_000 });
		// Checked before anything is written, so that another program's file stays unchanged.
		isPrepared(database);
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
		prepareSchema(database);
		database.exec('COMMIT');
		return database;
	} catch (cause) {
		database?.close();
		throw new Error(
			`The file of waiting changes cannot be used (${file}): ${(cause as Error).message}. Move it away to start a new one, and build the whole site once.`,
			{ cause },
		);
	}
}

function prepareSchema(database: DatabaseSync): void {
	if (!isPrepared(database)) database.exec(SCHEMA);
}

/** Whether the file has our schema; `false` for a new one. @throws Error if it belongs to another program. */
function isPrepared(database: DatabaseSync): boolean {
	const application = pragma(database, 'application_id');
	const version = pragma(database, 'user_version');
	if (application === APPLICATION_ID && version === SCHEMA_VERSION) return true;
	const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
	if (tables.count > 0 || application !== 0) {
		throw new Error('it was created by another program or by another version of this receiver');
	}
	return false;
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
	return (database.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[name] ?? 0;
}
