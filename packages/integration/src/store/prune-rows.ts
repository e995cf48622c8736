import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.js';

/**
 * Forgets every value that was not used since then, of all accounts.
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
		database.prepare('DELETE FROM entries WHERE used_at < ?').run(since);
		return reviews;
	});
}
