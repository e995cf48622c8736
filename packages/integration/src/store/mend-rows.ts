import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.js';
import { isWhole, type RowKey } from './prove-row.js';
import { ENTRY_COLUMNS, type EntryRow, prepareToRead, toRow } from './row-reader.js';

/** An entry with its key. */
type KeyedRow = EntryRow & RowKey;

const COLUMNS = `account, kind, pid, ${ENTRY_COLUMNS}`;

/**
 * Takes rows out that are not what was written, of all accounts: those under a wrong key are never asked for. Where there
 * are any, all others are put in order again, since a wrong key may have hidden them.
 * @param hasDamage whether some row was found to be damaged before.
 * @returns those that were taken out.
 */
export function mendRows(database: DatabaseSync, hasDamage: boolean): readonly RowKey[] {
	const damaged = findDamaged(database);
	if (damaged.length === 0 && !hasDamage) return damaged;
	inTransaction(database, () => {
		const rows = [...readRows(database)].filter((row) => isWhole(row, row));
		database.exec('DELETE FROM entries');
		// One row may hide another of its key: the younger one stays.
		const put = database.prepare(
			`INSERT OR REPLACE INTO entries (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		);
		for (const row of rows.sort((one, other) => one.fetched_at - other.fetched_at)) {
			const { account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof } = row;
			put.run(account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof);
		}
	});
	try {
		// An index that names the wrong row would do so for ever.
		database.exec('REINDEX contents');
	} catch {
		// Two values say that they are of the same product. The index as it is finds the right one.
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
