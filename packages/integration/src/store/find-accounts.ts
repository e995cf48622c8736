import type { DatabaseSync } from 'node:sqlite';

/** All accounts that have something in a store, by name: most stores have one. */
export function findAccounts(database: DatabaseSync): string[] {
	const rows = database.prepare('SELECT DISTINCT account FROM entries ORDER BY account').all();
	return rows.map((row) => String(row['account']));
}
