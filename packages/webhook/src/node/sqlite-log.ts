import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type Change, type ChangeLog, type Hold, mergeChanges, type WaitingChanges } from '../change-log.js';
import { quietly, WebhookError } from '../errors.js';
import { messages } from '../messages.js';
import { endProcessGroup, isGroupRunning, startOf } from './command.js';

/** Marks the file as ours ("APRw" in ASCII); SQLite stores it in the file's header, at this offset. */
const APPLICATION_ID = 0x41505277;
const APPLICATION_ID_OFFSET = 68;

const SCHEMA_VERSION = 4;

/** The numbers of changes are never reused: otherwise a long rebuild would settle changes that arrived after it. */
const SCHEMA = `
	CREATE TABLE changes (
		number INTEGER PRIMARY KEY AUTOINCREMENT,
		pid TEXT NOT NULL,
		received_at INTEGER NOT NULL,
		checksum INTEGER NOT NULL
	) STRICT;
	CREATE TABLE events (id TEXT PRIMARY KEY, received_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
	CREATE TABLE commands (pid INTEGER NOT NULL, started TEXT NOT NULL) STRICT;
	PRAGMA application_id = ${APPLICATION_ID};
	PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Columns are named: damage to the schema may change the case of a name, and SQLite does not mind. */
const READ_CHANGES = `SELECT number AS number, pid AS pid, received_at AS received_at, checksum AS checksum
	FROM changes ORDER BY number`;

/** Stored in place of a product id if anything may have changed. No product has this id. */
const ALL = '';

/** How long ids of events are kept, in milliseconds: twice as long as a signed request is valid. */
const EVENTS_KEPT = 1_200_000;

interface ChangeRow {
	readonly number: number;
	readonly pid: string;
	readonly received_at: number;
	readonly checksum: number;
}

/**
 * Holds changes in an SQLite file, which several receivers of a machine may share. If the file is damaged, it is renamed to
 * `<file>.set-aside`, and a new one notes that anything may have changed.
 *
 * @param file path; its folder is created if needed.
 * @param onLog called with log lines about damage, and about commands that a killed receiver left running.
 * @throws WebhookError for a file that is not ours, and one that cannot be created, read or written.
 * @example new Collector({ log: openSqliteLog('.cache/review-changes.db'), rebuild: command('npm run build') })
 */
export function openSqliteLog(file: string, onLog: (line: string) => void = console.warn): ChangeLog {
	return new SqliteLog(file, quietly(onLog));
}

class SqliteLog implements ChangeLog {
	readonly #file: string;
	readonly #onLog: (line: string) => void;
	#database: DatabaseSync;
	/** Locked while a receiver rebuilds. The system unlocks it if the process is killed. */
	readonly #lock: DatabaseSync;

	constructor(file: string, onLog: (line: string) => void) {
		this.#file = file;
		this.#onLog = onLog;
		makeFolder(dirname(file));
		try {
			this.#database = this.#open();
			this.#lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
		} catch (error) {
			const { message } = error as Error;
			throw new WebhookError('PR_CHANGES_UNUSABLE', messages.fileUnusable(file, message), { cause: error });
		}
	}

	async record({ id, pids, all, receivedAt }: Change): Promise<boolean> {
		return this.#use((database) => {
			database.prepare('DELETE FROM events WHERE received_at < ?').run(receivedAt - EVENTS_KEPT);
			const addEvent = database.prepare('INSERT OR IGNORE INTO events VALUES (?, ?)');
			if (id !== undefined && addEvent.run(id, receivedAt).changes === 0) return false;
			insertChanges(database, all ? [ALL] : pids, receivedAt);
			return true;
		});
	}

	async waiting(): Promise<WaitingChanges | undefined> {
		const rows = this.#use((database) => {
			const found = database.prepare(READ_CHANGES).all() as unknown as ChangeRow[];
			const isWhole = ({ pid, received_at, checksum }: ChangeRow) =>
				checksumOf(pid, received_at) === checksum;
			if (!found.every(isWhole)) throw new DamageError(messages.rowDamaged);
			return found;
		});
		return mergeChanges(
			rows.map(({ number, pid, received_at: receivedAt }) => {
				const all = pid === ALL;
				return { pids: all ? [] : [pid], all, receivedAt, position: number };
			}),
		);
	}

	async settle(upTo: number): Promise<void> {
		this.#use((database) => database.prepare('DELETE FROM changes WHERE number <= ?').run(upTo));
	}

	async hold(): Promise<Hold | undefined> {
		try {
			this.#lock.exec('BEGIN EXCLUSIVE');
		} catch (error) {
			if (codeOf(error) === SQLITE_BUSY) return undefined;
			throw error;
		}
		const forget = quietly(() => this.#use((database) => database.exec('DELETE FROM commands')));
		const release = async () => {
			forget();
			this.#lock.exec('ROLLBACK');
		};
		try {
			await this.#endLeftCommand();
			forget();
		} catch (error) {
			await release();
			throw error;
		}
		const started = quietly((pid: number) => {
			this.#use((database) =>
				database.prepare('INSERT INTO commands VALUES (?, ?)').run(pid, startOf(pid) ?? ''),
			);
		});
		return { started, release };
	}

	async close(): Promise<void> {
		if (!this.#database.isOpen) return;
		this.#lock.close();
		this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		this.#database.close();
	}

	/**
	 * Ends a command that a killed receiver left running: its result would go unnoticed, and its changes are still waiting.
	 */
	async #endLeftCommand(): Promise<void> {
		const left = this.#use((database) => database.prepare('SELECT pid, started FROM commands').all());
		for (const { pid, started } of left as { pid: number; started: string }[]) {
			if (started === '' || !isGroupRunning(pid, started)) continue;
			this.#onLog(messages.leftCommand(pid));
			await endProcessGroup(pid);
		}
	}

	/** Runs an action that is written as a whole. If the file turns out to be damaged, it runs on a new one. */
	#use<Result>(action: (database: DatabaseSync) => Result): Result {
		try {
			return inTransaction(this.#database, action);
		} catch (error) {
			if (!isDamage(error)) throw error;
			this.#database.close();
			this.#database = this.#replace(error);
			return inTransaction(this.#database, action);
		}
	}

	#open(): DatabaseSync {
		try {
			return connect(this.#file);
		} catch (error) {
			if (!isDamage(error) || !looksLikeOurs(this.#file)) throw error;
			return this.#replace(error);
		}
	}

	/** Sets the file aside, and starts a new one in which anything may have changed. */
	#replace({ message }: Error): DatabaseSync {
		const aside = `${this.#file}.set-aside`;
		rmSync(`${this.#file}-shm`, { force: true });
		// The log belongs to the old file. Next to a new one it would be damage.
		if (existsSync(`${this.#file}-wal`)) renameSync(`${this.#file}-wal`, `${aside}-wal`);
		renameSync(this.#file, aside);
		const database = connect(this.#file);
		insertChanges(database, [ALL], Date.now());
		this.#onLog(messages.fileSetAside(message, basename(aside)));
		return database;
	}
}

/** Creates a folder. If it is new, it gets a `.gitignore`, since its files belong to this machine. */
function makeFolder(folder: string): void {
	const first = mkdirSync(folder, { recursive: true });
	// node_modules is not under version control.
	if (first === undefined || /[\\/]node_modules[\\/]/.test(folder)) return;
	writeFileSync(join(folder, '.gitignore'), '*\n');
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
		if (problems[0]?.['integrity_check'] !== 'ok') throw new DamageError(messages.pagesDamaged);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

/** Whether a file is ours; `false` for a new one. @throws Error if it belongs to another program. */
function isPrepared(database: DatabaseSync): boolean {
	const read = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
	const application = read('PRAGMA application_id');
	if (application === APPLICATION_ID && read('PRAGMA user_version') === SCHEMA_VERSION) return true;
	if (application !== 0 || read('SELECT count(*) FROM sqlite_schema') !== 0) {
		throw new Error(messages.otherProgram);
	}
	return false;
}

function insertChanges(database: DatabaseSync, pids: readonly string[], receivedAt: number): void {
	const insert = database.prepare('INSERT INTO changes (pid, received_at, checksum) VALUES (?, ?, ?)');
	for (const pid of pids) insert.run(pid, receivedAt, checksumOf(pid, receivedAt));
}

/** A flipped bit always changes it. */
function checksumOf(pid: string, receivedAt: number): number {
	return crc32(JSON.stringify([pid, receivedAt]));
}

function inTransaction<Result>(database: DatabaseSync, action: (database: DatabaseSync) => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = action(database);
		database.exec('COMMIT');
		return result;
	} catch (error) {
		if (database.isTransaction) database.exec('ROLLBACK');
		throw error;
	}
}

/** The file has rows or pages that cannot be trusted. */
class DamageError extends Error {}

const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** The result code of SQLite; `undefined` for other errors. */
function codeOf(error: unknown): number | undefined {
	const { errcode } = error as { errcode?: number };
	return errcode === undefined ? undefined : errcode & 0xff;
}

function isDamage(error: unknown): error is Error {
	// A damaged number may be too large for JavaScript.
	if (error instanceof DamageError || (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE') return true;
	return [SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_NOTADB].includes(codeOf(error) ?? 0);
}

/** Whether a file that cannot be opened is ours, according to its header. */
function looksLikeOurs(file: string): boolean {
	const header = readFileSync(file).subarray(0, APPLICATION_ID_OFFSET + 4);
	return (
		header.length === APPLICATION_ID_OFFSET + 4 &&
		header.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID
	);
}
