import type { DatabaseSync } from 'node:sqlite';

/** Count and average over the published reviews of one product. */
export interface RatingSummary {
	readonly count: number;
	/** Stars, rounded to two decimals; 0 if there are no reviews. */
	readonly average: number;
}

/** Summarizes the published reviews of a product. All three operations use it, so that they agree. */
export function ratingSummary(database: DatabaseSync, pid: string): RatingSummary {
	const row = database
		.prepare(
			"SELECT COUNT(*) AS count, AVG(rating) AS average FROM reviews WHERE pid = ? AND status = 'published'",
		)
		.get(pid);
	return { count: Number(row?.count ?? 0), average: Math.round(Number(row?.average ?? 0) * 100) / 100 };
}
