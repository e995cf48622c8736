import type { DatabaseSync } from 'node:sqlite';
import { isSameRating, type KnownRating, NO_RATING } from '../../cache/known-rating.js';
import { inTransaction } from '../../store/in-transaction.js';
import { ENTRY_COLUMNS, type KeyedRow, prepareToRead, proofOf, toRow } from '../../store/rows.js';

/** A rating, and a resource of the same product that is older. */
type OlderResource = KeyedRow & { readonly known: string | null; readonly known_at: number };

/**
 * Settles ratings that are newer than the reviews. In one build, that means that the reviews have changed and are not
 * fetched yet. In a joined store, another shard may just have asked later, for a list. Then both say the same, and the rating
 * becomes as old as the reviews.
 */
export function settleRatings(database: DatabaseSync): void {
	const found = prepareToRead(
		database,
		`SELECT rating.account, rating.kind, rating.pid, ${columnsOf('rating')}, older.summary AS known, older.fetched_at AS known_at
		FROM entries AS rating JOIN entries AS older USING (account, pid)
		WHERE rating.kind = 'rating' AND older.kind IN ('reviews', 'review-data')
		AND rating.fetched_at > older.fetched_at ORDER BY known_at DESC`,
	);
	const settled = new Map<string, OlderResource>();
	const moved = new Set<string>();
	for (const read of found.iterate()) {
		const row = toRow<OlderResource>(read);
		const key = JSON.stringify([row.account, row.pid]);
		// The oldest comes last.
		if (isSameRating(parse(row.known), parse(row.summary))) settled.set(key, row);
		else moved.add(key);
	}
	const update = database.prepare(
		"UPDATE entries SET fetched_at = ?, proof = ? WHERE account = ? AND kind = 'rating' AND pid = ?",
	);
	inTransaction(database, () => {
		for (const [key, row] of settled) {
			if (moved.has(key)) continue;
			const { account, pid, known_at } = row;
			update.run(known_at, proofOf(row, { ...row, fetched_at: known_at }), account, pid);
		}
	});
}

function columnsOf(table: string): string {
	return ENTRY_COLUMNS.split(', ')
		.map((column) => `${table}.${column}`)
		.join(', ');
}

function parse(summary: string | null): KnownRating {
	return { ...NO_RATING, ...(JSON.parse(summary ?? '{}') as Partial<KnownRating>) };
}
