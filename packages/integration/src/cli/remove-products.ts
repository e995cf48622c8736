import type { DatabaseSync } from 'node:sqlite';
import { findAccounts } from '../store/find-accounts.js';
import { inTransaction } from '../store/in-transaction.js';
import { PRODUCT_KINDS } from '../store/product-kinds.js';
import { countText } from '../text/amounts.js';
import { nameProducts } from '../text/name-products.js';

/**
 * Forgets everything that a store keeps of products, of all accounts. What pages showed of them stays: a page is
 * rendered again when what the next build fetches is something else.
 * @throws Error where the store has none of them.
 */
export function removeProducts(database: DatabaseSync, pids: readonly string[]): string[] {
	const statements = ['contents', 'entries'].map((table) =>
		database.prepare(`DELETE FROM ${table} WHERE account = ? AND kind = ? AND pid = ?`),
	);
	const unknown = inTransaction(database, () => {
		const accounts = findAccounts(database);
		const remove = (pid: string) => {
			let changes = 0;
			for (const account of accounts) {
				for (const kind of PRODUCT_KINDS) {
					for (const statement of statements) changes += Number(statement.run(account, kind, pid).changes);
				}
			}
			return changes > 0;
		};
		return pids.filter((pid) => !remove(pid));
	});
	if (unknown.length === pids.length) throw new Error(`Not in the store: ${nameProducts(unknown)}.`);
	return [
		`Removed ${countText(pids.length - unknown.length, 'product')}: the next build that needs them fetches them.\n`,
		...(unknown.length > 0 ? [`Not in the store: ${nameProducts(unknown)}.\n`] : []),
	];
}
