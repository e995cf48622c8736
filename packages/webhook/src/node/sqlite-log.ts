import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type ChangeLog, mergeChanges } from '../change-log.js';
import { quietly, WebhookError } from '../errors.js';

/** Marks the file as ours ("APRw" in ASCII); SQLite stores it in the file's header, at this offset. */
const APPLICATION_ID = 0x41505277;
const APPLICATION_ID_OFFSET = 68;

const SCHEMA_VERSION = 5;

/** The numbers of changes are never reused: otherwise a long rebuild would settle changes that arrived after it. */
const SCHEMA = `
	CREATE TABLE changes (
		number INTEGER PRIMARY KEY AUTOINCREMENT,
		pid TEXT NOT NULL,
		received_at INTEGER NOT NULL,
		checksum INTEGER NOT NULL
	) STRICT;
	PRAGMA application_id = ${APPLICATION_ID};
	PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Columns are named, because damage to the schema may change the case of a name, which SQLite does not mind. A damaged number
 * may be too large for an integer of JavaScript.
 */
const READ_CHANGES = `
	SELECT
		CAST(number AS REAL) AS number,
		pid AS pid,
		CAST(received_at AS REAL) AS receivedAt,
		CAST(checksum AS REAL) AS checksum
	FROM changes ORDER BY changes.number
`;

const INSERT_CHANGE = 'INSERT INTO changes (pid, received_at, checksum) VALUES (?, ?, ?)';

/** Stored in place of a product ID if anything may have changed. No product has this id. */
const ALL = '';

interface ChangeRow {
	readonly number: number;
	readonly pid: string;
	readonly receivedAt: number;
	readonly checksum: number;
}

/**
 * Holds changes in an SQLite file, which several receivers of a machine may share. If the file is damaged, it is renamed to
 * `<file>.set-aside`, and a new one notes that anything may have changed.
 *
 * @param file path; its folder is created if needed.
 * @param onLog called with log lines about damage.
 * @throws WebhookError for a file that is not ours, and one that cannot be created, read or written.
 * @example new Collector({ log: openSqliteLog('.cache/review-changes.db'), rebuild: command('npm run build') })
 */
export function openSqliteLog(file: string, onLog: (line: string) => void = console.warn): ChangeLog {
	try {
		makeFolder(dirname(file));
		return toLog(open(file, quietly(onLog)), new DatabaseSync(`${file}.lock`, { timeout: 0 }));
	} catch (error) {
		const reason = `The file of waiting changes cannot be used (${file}): ${(error as Error).message}.`;
		const remedy = 'Move it away to start a new one, and build the whole site once.';
		throw new WebhookError('PR_CHANGES_UNUSABLE', `${reason} ${remedy}`, { cause: error });
	}
}

/** @param lock locked while a receiver rebuilds. The system unlocks it if the process is killed. */
function toLog(database: DatabaseSync, lock: DatabaseSync): ChangeLog {
	return {
		async record({ pids, all, receivedAt }) {
			insertChanges(database, all ? [ALL] : pids, receivedAt);
		},
		async waiting() {
			const rows = database.prepare(READ_CHANGES).all() as unknown as ChangeRow[];
			return mergeChanges(
				rows.map(({ number, pid, receivedAt, checksum }) => {
					// A damaged row stands for an unknown product.
					const all = pid === ALL || checksum !== checksumOf(pid, receivedAt);
					return { pids: all ? [] : [pid], all, receivedAt, position: number };
				}),
			);
		},
		async settle(upTo) {
			database.prepare('DELETE FROM changes WHERE number <= ?').run(upTo);
		},
		async hold() {
			try {
				lock.exec('BEGIN EXCLUSIVE');
			} catch (error) {
				if (codeOf(error) === SQLITE_BUSY) return undefined;
				throw error;
			}
			return { release: async () => lock.exec('ROLLBACK') };
		},
		async close() {
			if (!database.isOpen) return;
			lock.close();
			database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
			database.close();
		},
	};
}

/** Creates a folder. If it is new, it gets a `.gitignore`, since its files belong to this machine. */
function makeFolder(folder: string): void {
	const first = mkdirSync(folder, { recursive: true });
	// node_modules is not under version control.
	if (first === undefined || /[\\/]node_modules[\\/]/.test(folder)) return;
	writeFileSync(join(folder, '.gitignore'), '*\n');
}

/** Opens the file. If it is damaged, sets it aside, and starts a new one in which anything may have changed. */
function open(file: string, onLog: (line: string) => void): DatabaseSync {
	try {
		return connect(file);
	} catch (error) {
		if (!DAMAGE.has(codeOf(error)) || !looksLikeOurs(file)) throw error;
		const aside = `${file}.set-aside`;
		rmSync(`${file}-shm`, { force: true });
		// The log belongs to the old file. Next to a new one it would be damage.
		if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`);
		renameSync(file, aside);
		const database = connect(file);
		insertChanges(database, [ALL], Date.now());
		onLog(
			`The file of waiting changes was damaged (${(error as Error).message}). It was renamed to "${basename(aside)}", and a new one was started. ` +
				'It may have lost which products changed, so the next update is for all products. If this keeps happening, check the disk.',
		);
		return database;
	}
}

function connect(file: string): DatabaseSync {
	const database = new DatabaseSync(file, { timeout: 5_000 });
	try {
		// Checked before anything is written, so that another program's file stays unchanged.
		isPrepared(database);
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
		inTransaction(database, () => {
			if (!isPrepared(database)) database.exec(SCHEMA);
		});
		const problems = database.prepare('PRAGMA integrity_check').all();
		if (problems[0]?.['integrity_check'] !== 'ok') {
			throw Object.assign(new Error('its pages are damaged'), { errcode: SQLITE_CORRUPT });
		}
		for (const statement of [READ_CHANGES, INSERT_CHANGE]) database.prepare(statement);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

/** Says whether a file is ours; `false` for a new one. @throws Error if it belongs to another program. */
function isPrepared(database: DatabaseSync): boolean {
	const read = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
	const application = read('PRAGMA application_id');
	if (application === APPLICATION_ID && read('PRAGMA user_version') === SCHEMA_VERSION) return true;
	if (application !== 0 || read('SELECT count(*) FROM sqlite_schema') !== 0) {
		throw new Error('it was created by another program or by another version of this receiver');
	}
	return false;
}

function insertChanges(database: DatabaseSync, pids: readonly string[], receivedAt: number): void {
	inTransaction(database, () => {
		const insert = database.prepare(INSERT_CHANGE);
		for (const pid of pids) insert.run(pid, receivedAt, checksumOf(pid, receivedAt));
	});
}

/** Returns a checksum that any flipped bit changes. */
function checksumOf(pid: string, receivedAt: number): number {
	return crc32(JSON.stringify([pid, receivedAt]));
}

function inTransaction(database: DatabaseSync, action: () => void): void {
	database.exec('BEGIN IMMEDIATE');
	try {
		action();
		database.exec('COMMIT');
	} catch (error) {
		if (database.isTransaction) database.exec('ROLLBACK');
		throw error;
	}
}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;

/** Result codes of SQLite: an error in the schema, damaged pages, not a database. */
const DAMAGE: ReadonlySet<number> = new Set([1, SQLITE_CORRUPT, 26]);

/** Returns the code of an error of SQLite; 0 for any other error. */
function codeOf(error: unknown): number {
	return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/** Says whether a file that cannot be opened is ours, according to its header. */
function looksLikeOurs(file: string): boolean {
	const bytes = readFileSync(file);
	const isCut = bytes.length < APPLICATION_ID_OFFSET + 4;
	return !isCut && bytes.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID;
}
