import type { DatabaseSync } from 'node:sqlite';
import { findAccounts } from './find-accounts.js';
import { SENT_KINDS } from './product-kinds.js';

/** Gives a function that tells which accounts have something of a product that the service sent. */
export function findOwners(database: DatabaseSync): (pid: string) => string[] {
	const accounts = findAccounts(database);
	const entry = database.prepare('SELECT 1 FROM entries WHERE account = ? AND kind = ? AND pid = ?');
	return (pid) =>
		accounts.filter((account) => SENT_KINDS.some((kind) => entry.get(account, kind, pid) !== undefined));
}
