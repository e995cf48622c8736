import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { WebhookError } from '../errors.js';

/** The open file of waiting changes. */
export interface OpenedDatabase {
	readonly database: DatabaseSync;
	/** What was wrong with it; `undefined` if it was whole. */
	readonly damage: Damage | undefined;
}

/**
 * Opens the file of waiting changes, or creates it. Damaged rows are removed. If more than rows is damaged, the file is
 * renamed to `<file>.set-aside`, and a new one notes that anything may have changed.
 * @param now milliseconds since 1970.
 * @throws WebhookError for a file that is not ours, and one that cannot be created, read or written.
 */
export function openDatabase(file: string, now: number): OpenedDatabase {
	makeFolder(dirname(file));
	try {
		return connect(file, now);
	} catch (cause) {
		try {
			if (!isDamage(cause, file) || !looksLikeOurs(file)) throw cause;
			return renew(file, now, cause);
		} catch (error) {
			throw new WebhookError(
				'PR_CHANGES_UNUSABLE',
				`The file of waiting changes cannot be used (${file}): ${(error as Error).message}. Move it away to start a new one, and build the whole site once.`,
				{ cause: error },
			);
		}
	}
}

/** @param isRenewed whether the file takes the place of a damaged one. */
function connect(file: string, now: number, isRenewed = false): OpenedDatabase {
	const database = new DatabaseSync(file, { timeout: 5_000 });
	try {
		addProof(database);
		// Checked before anything is written, so that another program's file stays unchanged.
		isPrepared(database);
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
		if (!isPrepared(database)) makeTables(database);
		assertSound(database);
		const damage = mendRows(database, now);
		if (isRenewed) markAll(database, now);
		database.exec('COMMIT');
		return { database, damage };
	} catch (error) {
		database.close();
		throw error;
	}
}

/** The file has pages or tables that cannot be trusted. */
class UnsoundFileError extends Error {}

/** @throws UnsoundFileError if pages may hide rows. */
function assertSound(database: DatabaseSync): void {
	if (!hasTables(database)) throw new UnsoundFileError('its tables are damaged');
	const problems = findProblems(database);
	if (problems.length === 0) return;
	// An index can be made again from its table, if the table itself is sound: this hides what its pages have lost.
	if (problems.every((problem) => ABOUT_AN_INDEX.test(problem))) {
		database.exec('REINDEX');
		if (findProblems(database).length === 0) return;
	}
	throw new UnsoundFileError('its pages are damaged');
}

/** An index does not match its table, as after damage to a row's key. */
const ABOUT_AN_INDEX = /^(row \d+ missing from|wrong # of entries in) index /;

function findProblems(database: DatabaseSync): string[] {
	const found = database.prepare('PRAGMA integrity_check').all();
	return found.map((row) => String(row['integrity_check'])).filter((problem) => problem !== 'ok');
}

function renew(file: string, now: number, { message: reason }: Error): OpenedDatabase {
	const to = `${file}.set-aside`;
	rmSync(`${file}-shm`, { force: true });
	// The log belongs to the old file. Next to a new one it would be damage.
	if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${to}-wal`);
	renameSync(file, to);
	const { database } = connect(file, now, true);
	return { database, damage: { rows: 0, isChangeLost: true, setAside: { to, reason } } };
}

const SQLITE_ERROR = 1;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_CONSTRAINT = 19;
const SQLITE_NOTADB = 26;

/** Whether an error may mean that the file is damaged. */
function isDamage(error: unknown, file: string): error is Error {
	if (!(error instanceof Error)) return false;
	if (!('errcode' in error)) return true;
	const code = Number(error.errcode) & 0xff;
	// A file of a later format can only be read. So can one that this user may not write.
	if (code === SQLITE_READONLY) return isLaterFormat(file);
	return [SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_CONSTRAINT, SQLITE_NOTADB].includes(code);
}

/**
 * Creates a folder for machine-specific files and keeps it out of version control: a folder created here gets its own
 * `.gitignore`. An existing folder is left unchanged.
 * @throws Error if the folder cannot be created.
 * @example makeFolder('.product-reviews')
 */
function makeFolder(folder: string): void {
	const first = mkdirSync(folder, { recursive: true });
	// node_modules is not under version control.
	if (first === undefined || /[\\/]node_modules[\\/]/.test(folder)) return;
	try {
		writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
	} catch {
		// If the folder is not writable, creating the actual file will fail and report it.
	}
}

/** Marks the file as ours ("APRw" in ASCII); SQLite stores it in the file's header. */
const APPLICATION_ID = 0x41505277;

const SCHEMA_VERSION = 3;

/** The checksum `proof` of each row covers its other columns. */
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
function makeTables(database: DatabaseSync): void {
	for (const sql of TABLES) database.exec(sql);
	database.exec(`
		INSERT INTO numbers VALUES (0, proof(0));
		PRAGMA application_id = ${APPLICATION_ID};
		PRAGMA user_version = ${SCHEMA_VERSION};
	`);
}

/** Whether a file has our identity; `false` for a new one. @throws Error if it belongs to another program. */
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

/** Whether the tables are those that {@link makeTables} made. SQLite does not mind a column called "Sequence". */
function hasTables(database: DatabaseSync): boolean {
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
function looksLikeOurs(file: string): boolean {
	const bytes = readFileSync(file);
	if (bytes.length <= APPLICATION + 4) return false;
	const isMarked =
		bytes.readUInt32BE(APPLICATION) === APPLICATION_ID && bytes.readUInt32BE(USER_VERSION) === SCHEMA_VERSION;
	return isMarked || TABLES.every((sql) => bytes.includes(sql));
}

/** Whether this SQLite can read a file, but not write it, according to its header. */
function isLaterFormat(file: string): boolean {
	return (readFileSync(file)[WRITE_VERSION] ?? 0) > 2;
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
	return (database.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[name] ?? 0;
}

/** The tables whose rows have a checksum in the column `proof`, and what it covers. */
export const PROVEN = {
	changes: 'pid, sequence, first_at, last_at',
	events: 'id, received_at',
	numbers: 'last',
	holder: 'pid, started, token, command_pid, command_started',
} as const;

/** A condition: the row is what was written. A flipped bit always makes it false. */
export function isWhole(table: keyof typeof PROVEN): string {
	return `${table}.proof IS proof(${columnsOf(table)})`;
}

/** Makes the function `proof(...)` available in SQL: the checksum of its arguments. */
function addProof(database: DatabaseSync): void {
	database.function(
		'proof',
		{ deterministic: true, varargs: true, useBigIntArguments: true },
		(...columns: unknown[]) => crc32(JSON.stringify(columns, toJson)),
	);
}

/** A damaged number may be too large for JavaScript. If so, it changes, and the row counts as damaged. */
function toJson(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? Number(value) : value;
}

/** With the name of the table: an upsert has two rows. */
function columnsOf(table: keyof typeof PROVEN): string {
	return PROVEN[table].replaceAll(/\w+/g, (column) => `${table}.${column}`);
}

/** Stored in place of a product id if anything may have changed. No product has this id. */
export const ALL = '';

/** What was wrong with the rows of a file. */
export interface Damage {
	/** Rows that were removed. */
	readonly rows: number;
	/** A change may have been lost, so anything may have changed. */
	readonly isChangeLost: boolean;
	/** The file could not be used: its new name, and why. */
	readonly setAside?: { readonly to: string; readonly reason: string };
}

type Table = keyof typeof PROVEN;

const MENDED_TABLES = Object.keys(PROVEN) as readonly Table[];

/**
 * Removes rows that are not what was written. If a change was among them, its product is unknown, and anything may have
 * changed. Call it in a transaction.
 * @param now milliseconds since 1970.
 * @returns `undefined` if all rows are whole.
 */
export function mendRows(database: DatabaseSync, now: number): Damage | undefined {
	const damaged = new Map(MENDED_TABLES.map((table) => [table, countDamaged(database, table)]));
	const rows = [...damaged.values()].reduce((sum, count) => sum + count, 0);
	const areNumbersLost = countWhole(database, 'numbers') !== 1;
	if (rows === 0 && !areNumbersLost) return undefined;
	for (const table of MENDED_TABLES) database.exec(`DELETE FROM ${table} WHERE NOT (${isWhole(table)})`);
	if (areNumbersLost) renumber(database, now);
	const isChangeLost = damaged.get('changes') !== 0;
	if (isChangeLost) markAll(database, now);
	return { rows, isChangeLost };
}

/** Notes that anything may have changed. @param now milliseconds since 1970. */
function markAll(database: DatabaseSync, now: number): void {
	database.exec('UPDATE numbers SET last = last + 1, proof = proof(last + 1)');
	database
		.prepare(
			`INSERT OR REPLACE INTO changes (pid, sequence, first_at, last_at, proof)
			SELECT ?1, last, ?2, ?2, proof(?1, last, ?2, ?2) FROM numbers`,
		)
		.run(ALL, now);
}

/**
 * Goes on with a number that was never used. One number is used for each write, and there is less than one a millisecond, so
 * the time is larger than all of them.
 */
function renumber(database: DatabaseSync, now: number): void {
	database.exec('DELETE FROM numbers');
	database
		.prepare(
			`INSERT INTO numbers (last, proof) SELECT last, proof(last) FROM
			(SELECT max(?, coalesce((SELECT max(sequence) FROM changes), 0)) AS last)`,
		)
		.run(now);
}

function countDamaged(database: DatabaseSync, table: Table): number {
	return count(database, `SELECT count(*) AS count FROM ${table} WHERE NOT (${isWhole(table)})`);
}

function countWhole(database: DatabaseSync, table: Table): number {
	return count(database, `SELECT count(*) AS count FROM ${table} WHERE ${isWhole(table)}`);
}

function count(database: DatabaseSync, sql: string): number {
	return (database.prepare(sql).get() as { count: number }).count;
}
