import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.js';
import { ENTRY_COLUMNS, type EntryRow, isWhole, prepareToRead, type RowKey, toRow } from './rows.js';

/** An entry with its key. */
type KeyedRow = EntryRow & RowKey;

const COLUMNS = `account, kind, pid, ${ENTRY_COLUMNS}`;

/**
 * Removes rows that are not what was written, of all accounts: those under a wrong key would never be read. If there are
 * any, all other rows are inserted again, since a wrong key may have hidden them.
 * @param hasDamage whether a damaged row was found before.
 * @returns the removed rows.
 */
export function mendRows(database: DatabaseSync, hasDamage: boolean): readonly RowKey[] {
	const damaged = findDamaged(database);
	if (damaged.length === 0 && !hasDamage) return damaged;
	inTransaction(database, () => {
		const rows = [...readRows(database)].filter((row) => isWhole(row, row));
		database.exec('DELETE FROM entries');
		// If two rows have one key, the newer one stays.
		const put = database.prepare(
			`INSERT OR REPLACE INTO entries (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		);
		for (const row of rows.sort((one, other) => one.fetched_at - other.fetched_at)) {
			const { account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof } = row;
			put.run(account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof);
		}
	});
	try {
		// An index that points to the wrong row would do so forever.
		database.exec('REINDEX contents');
	} catch {
		// Two values claim the same product. The index as it is finds the right one.
	}
	return damaged;
}

function findDamaged(database: DatabaseSync): readonly RowKey[] {
	const damaged: RowKey[] = [];
	for (const row of readRows(database)) if (!isWhole(row, row)) damaged.push(row);
	return damaged;
}

function* readRows(database: DatabaseSync): Iterable<KeyedRow> {
	for (const row of prepareToRead(database, `SELECT ${COLUMNS} FROM entries`).iterate())
		yield toRow<KeyedRow>(row);
}

/**
 * Deletes every value that was not used since then, of all accounts.
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
			.prepare(
				'DELETE FROM contents WHERE (account, kind, pid) IN (SELECT account, kind, pid FROM entries WHERE used_at < ?)',
			)
			.run(since);
		const { changes } = database.prepare('DELETE FROM entries WHERE used_at < ?').run(since);
		if (changes) database.exec(DELETE_UNKNOWN_PAGES);
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
