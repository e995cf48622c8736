import type { DatabaseSync } from 'node:sqlite';
import { SENT_KINDS } from './review-store.js';
import { findAccounts, inTransaction, isNewer, prepareRows } from './rows.js';
import { packConfirmed } from './values.js';

/**
 * Marks products as changed, for every account that has them. The answer of the service is believed even if many
 * products have lost their reviews.
 */
export function markProducts(database: DatabaseSync, pids: readonly string[], now: number): string[] {
	const rows = prepareRows(database);
	const accounts = findAccounts(database);
	const { digest, codec, bytes: value, summary = null } = packConfirmed();
	const mark = {
		digest,
		fetched_at: now,
		used_at: now,
		state: 'fetched',
		validators: null,
		summary,
	} as const;
	return inTransaction(database, () =>
		pids.filter((pid) => {
			const owners = accounts.filter((account) =>
				SENT_KINDS.some((kind) => rows.entry({ account, kind, pid }) !== undefined),
			);
			for (const account of owners) {
				const key = { account, kind: 'mark', pid };
				if (!isNewer(rows.entry(key), now)) rows.put(key, mark, { codec, value });
			}
			return owners.length === 0;
		}),
	);
}
