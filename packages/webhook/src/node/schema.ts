import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Marks the file as ours ("APRw" in ASCII); SQLite stores it in the file's header. */
const APPLICATION_ID = 0x41505277;
const SCHEMA_VERSION = 3;

/** The checksum `proof` of each row covers its other columns; see `row-proof.ts`. */
const TABLES = [
	`CREATE TABLE changes (
		pid TEXT PRIMARY KEY,
		sequence INTEGER NOT NULL,
		first_at INTEGER NOT NULL,
		last_at INTEGER NOT NULL,
		proof INTEGER NOT NULL
	) WITHOUT ROWID`,
	'CREATE INDEX changes_by_sequence ON changes (sequence)',
	// Numbers are never reused: otherwise a long rebuild would settle changes that arrived after it.
	'CREATE TABLE numbers (last INTEGER NOT NULL, proof INTEGER NOT NULL)',
	'CREATE TABLE events (id TEXT PRIMARY KEY, received_at INTEGER NOT NULL, proof INTEGER NOT NULL) WITHOUT ROWID',
	'CREATE INDEX events_by_time ON events (received_at)',
	// The process that rebuilds, and the command it runs: one row, or none.
	`CREATE TABLE holder (
		pid INTEGER NOT NULL,
		started TEXT NOT NULL,
		token TEXT NOT NULL,
		command_pid INTEGER,
		command_started TEXT,
		proof INTEGER NOT NULL
	)`,
] as const;

/** Makes the tables in a new file. The function `proof` is there. */
export function makeTables(database: DatabaseSync): void {
	for (const sql of TABLES) database.exec(sql);
	database.exec(`
		INSERT INTO numbers VALUES (0, proof(0));
		PRAGMA application_id = ${APPLICATION_ID};
		PRAGMA user_version = ${SCHEMA_VERSION};
	`);
}

/** Whether a file has our identity; `false` for a new one. @throws Error if it belongs to another program. */
export function isPrepared(database: DatabaseSync): boolean {
	const application = pragma(database, 'application_id');
	const version = pragma(database, 'user_version');
	if (application === APPLICATION_ID && version === SCHEMA_VERSION) return true;
	const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
	if (tables.count > 0 || application !== 0) {
		throw new Error('it was created by another program or by another version of this receiver');
	}
	return false;
}

/** Whether the tables are those that {@link makeTables} made. SQLite does not mind a column called "Sequence". */
export function hasTables(database: DatabaseSync): boolean {
	const found = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
	const made = new Set(found.map(({ sql }) => sql));
	return TABLES.every((sql) => made.has(sql));
}

/** Offset in the header of an SQLite file: the format that is needed for writing it, 1 or 2. */
const WRITE_VERSION = 18;
/** Offsets of 32-bit numbers. */
const USER_VERSION = 60;
const APPLICATION = 68;

/**
 * Whether a file that cannot be opened is ours, according to its bytes: our identity is in its header, or our tables are in
 * its schema. Both survive a flipped bit anywhere.
 */
export function looksLikeOurs(file: string): boolean {
	const bytes = readFileSync(file);
	if (bytes.length <= APPLICATION + 4) return false;
	const isMarked =
		bytes.readUInt32BE(APPLICATION) === APPLICATION_ID && bytes.readUInt32BE(USER_VERSION) === SCHEMA_VERSION;
	return isMarked || TABLES.every((sql) => bytes.includes(sql));
}

/** Whether this SQLite can read a file, but not write it, according to its header. */
export function isLaterFormat(file: string): boolean {
	return (readFileSync(file)[WRITE_VERSION] ?? 0) > 2;
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
	return (database.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[name] ?? 0;
}
