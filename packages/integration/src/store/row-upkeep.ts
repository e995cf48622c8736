import type { DatabaseSync } from 'node:sqlite';
import { isUnusable } from './open-database.js';
import {
	canFindMarks,
	ENTRY_COLUMNS,
	ENTRY_TABLES,
	type EntryTable,
	findAccounts,
	inTransaction,
	isWholeIn,
	type KeyedRow,
	markOfAll,
	prepareToRead,
	type RowKey,
	toRow,
} from './rows.js';

/** What was wrong with the rows of a file. */
export interface Damage {
	/** The removed rows. */
	readonly rows: readonly RowKey[];
	/** A mark may have been lost, so all products were marked. */
	readonly areAllMarked: boolean;
}

const NO_DAMAGE: Damage = { rows: [], areAllMarked: false };

const COLUMNS = `account, kind, pid, ${ENTRY_COLUMNS}, block`;

/**
 * Removes rows that are not what was written, of all accounts: those under a wrong key would never be read. If there are
 * any, all other rows are inserted again, since a wrong key may have hidden them.
 * @param hasDamage whether a damaged row was found before.
 * @param now milliseconds since 1970.
 */
export function mendRows(database: DatabaseSync, hasDamage: boolean, now: number): Damage {
	const { rows: marks, areAllMarked } = mendMarks(database, now);
	const rows = findDamaged(database, 'entries');
	if (rows.length > 0 || hasDamage) {
		inTransaction(database, () => writeAgain(database, 'entries'));
	}
	return { rows: [...marks, ...rows], areAllMarked };
}

/**
 * Marks all products if a mark may be lost, since a product whose mark is not found seems to be current. Do this before
 * anything is read.
 * @param now milliseconds since 1970.
 */
export function mendMarks(database: DatabaseSync, now: number): Damage {
	const rows = findDamaged(database, 'marks');
	if (rows.length === 0 && canFindMarks(database)) return NO_DAMAGE;
	inTransaction(database, () => {
		const ofAll = findAccounts(database).map((account) => markOfAll(account, now));
		writeAgain(database, 'marks', ofAll);
	});
	return { rows, areAllMarked: true };
}

/** Inserts all whole rows again, and no others. @param added rows to insert besides */
function writeAgain(database: DatabaseSync, table: EntryTable, added: readonly KeyedRow[] = []): void {
	const rows = [...readRows(database, table), ...added].filter((row) => isWholeIn(table, row));
	database.exec(`DELETE FROM ${table}`);
	// If two rows have one key, the newer one stays.
	const put = database.prepare(
		`INSERT OR REPLACE INTO ${table} (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	for (const row of rows.sort((one, other) => one.fetched_at - other.fetched_at)) {
		const { account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof } = row;
		const block = row.block ?? null;
		put.run(account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof, block);
	}
}

/**
 * Makes the index of values anew. Call this before anything is written to a file with damage: an index that is damaged itself
 * does not find a value that is there, and a second one would be written.
 * @throws Error if the database is damaged beyond that.
 */
export function renewIndex(database: DatabaseSync): void {
	try {
		database.exec('REINDEX contents');
	} catch (error) {
		// Otherwise, two values claim the same product. The index as it is finds the right one.
		if (isUnusable(error)) throw error;
	}
}

function findDamaged(database: DatabaseSync, table: EntryTable): readonly RowKey[] {
	const damaged: RowKey[] = [];
	for (const row of readRows(database, table)) if (!isWholeIn(table, row)) damaged.push(row);
	return damaged;
}

function* readRows(database: DatabaseSync, table: EntryTable): Iterable<KeyedRow> {
	for (const row of prepareToRead(database, `SELECT ${COLUMNS} FROM ${table}`).iterate())
		yield toRow<KeyedRow>(row);
}

/**
 * Deletes every value that was not used since then, of all accounts. With them go their blocks: what else was in those can be
 * made again.
 * @param since milliseconds since 1970.
 * @returns how many of them were products' reviews.
 */
export function pruneRows(database: DatabaseSync, since: number): number {
	const count = database.prepare(
		"SELECT count(*) AS count FROM entries WHERE used_at < ? AND kind = 'reviews'",
	);
	return inTransaction(database, () => {
		const { count: reviews } = count.get(since) as { count: number };
		database
			.prepare('DELETE FROM blocks WHERE block IN (SELECT block FROM entries WHERE used_at < ?)')
			.run(since);
		const changes = ENTRY_TABLES.map((table) => {
			database
				.prepare(
					`DELETE FROM contents WHERE (account, kind, pid) IN (SELECT account, kind, pid FROM ${table} WHERE used_at < ?)`,
				)
				.run(since);
			return Number(database.prepare(`DELETE FROM ${table} WHERE used_at < ?`).run(since).changes);
		});
		if (changes.some(Boolean)) database.exec(DELETE_UNKNOWN_PAGES);
		return reviews;
	});
}

const DELETE_UNKNOWN_PAGES = `DELETE FROM shown WHERE NOT EXISTS (
	SELECT 1 FROM entries WHERE entries.account = shown.account AND kind = 'page' AND entries.pid = page
)`;

/** Deletes pages of an account. */
export function deletePages(database: DatabaseSync, account: string, names: readonly string[]): void {
	const list = JSON.stringify(names);
	const among = 'IN (SELECT value FROM json_each(?))';
	inTransaction(database, () => {
		for (const table of ['contents', 'entries']) {
			database
				.prepare(`DELETE FROM ${table} WHERE account = ? AND kind = 'page' AND pid ${among}`)
				.run(account, list);
		}
		database.prepare(`DELETE FROM shown WHERE account = ? AND page ${among}`).run(account, list);
	});
}
