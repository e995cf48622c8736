import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../../errors.js';
import { inTransaction } from '../../store/in-transaction.js';
import { findAccounts } from '../../store/queries.js';
import { PRODUCT_KINDS } from '../../store/review-store.js';
import { byKind } from '../../store/rows.js';
import { sizeOfStore } from '../../store/size-of-store.js';
import { count, nameProducts, size } from '../../text/words.js';

/**
 * Deletes everything that a store keeps of products, of all accounts. It still knows what pages showed: a page is rendered
 * again only if the next build fetches something different. Html of a few other products, in the same blocks, is deleted with
 * them, and written again by the next build.
 * @throws CommandError if the store has none of the products.
 */
export function removeProducts(database: DatabaseSync, pids: readonly string[]): string[] {
	const prepareRemoval = (table: string) =>
		database.prepare(`DELETE FROM ${table} WHERE account = ? AND kind = ? AND pid = ?`);
	const contents = prepareRemoval('contents');
	const blocks = database.prepare(
		'DELETE FROM blocks WHERE block IN (SELECT block FROM entries WHERE account = ? AND pid = ?)',
	);
	const entryOf = byKind(prepareRemoval);
	const unknown = inTransaction(database, () => {
		const accounts = findAccounts(database);
		const remove = (pid: string) => {
			let changes = 0;
			for (const account of accounts) {
				blocks.run(account, pid);
				for (const kind of PRODUCT_KINDS) {
					for (const statement of [contents, entryOf(kind)])
						changes += Number(statement.run(account, kind, pid).changes);
				}
			}
			return changes > 0;
		};
		return pids.filter((pid) => !remove(pid));
	});
	if (unknown.length === pids.length) {
		throw new CommandError('PR_NOT_STORED', `Not in the store: ${nameProducts(unknown)}.`, LIST_THEM);
	}
	return [
		`Removed ${count(pids.length - unknown.length, 'product')}. The next build that needs them fetches them.\n`,
		...(unknown.length > 0 ? [`Not in the store: ${nameProducts(unknown)}.\n`] : []),
	];
}

/** What to do about a product that is not in the store. */
export const LIST_THEM = 'List what is stored with "astro-product-reviews store ls".';

/** Rewrites the file without the space of removed rows, and folds its log into it. */
export function* vacuumStore(database: DatabaseSync, file: string): Iterable<string> {
	const before = sizeOfStore(file);
	database.exec('VACUUM');
	const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
	yield `${size(before)} before, ${size(sizeOfStore(file))} after\n`;
	if (busy) yield 'Another process is reading the store. The log is folded in when it has ended.\n';
}
