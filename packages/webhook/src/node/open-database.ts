import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { WebhookError } from '../errors.js';
import { makeFolder } from './make-folder.js';
import { type Damage, markAll, mendRows } from './mend-rows.js';
import { addProof } from './row-proof.js';
import { hasTables, isLaterFormat, isPrepared, looksLikeOurs, makeTables } from './schema.js';

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
