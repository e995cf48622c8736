import type { ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { Ratings } from '../service/review-service.js';
import { ALL_PRODUCTS } from '../store/marks.js';
import { NO_VALUE } from '../store/pack.js';
import type { ReviewStore, StoredEntry } from '../store/review-store.js';
import { isSameRating, type KnownRating, NO_RATING, packRating } from './known-rating.js';

/** Knows which stored products may be outdated, regardless of their age. This knowledge is kept in the store. */
export interface Revalidation {
	/**
	 * Whether a value fetched at this time is outdated because of something learned later.
	 * @param fetchedAt milliseconds since 1970.
	 */
	isOutdated(pid: string, fetchedAt: number): boolean;
	/** Marks products with changed reviews. They stay marked until they are fetched. */
	mark(pids: readonly string[]): void;
	/** Compares the service's current ratings with the known ones, and marks products whose ratings moved. */
	compare(pids: readonly string[], ratings: Ratings): void;
}

/** @param now milliseconds since 1970. */
export function createRevalidation(store: ReviewStore, now: () => number): Revalidation {
	const reviews = store.table<ProductReviews>('reviews');
	const reviewData = store.table<ReviewData>('review-data');
	const ratings = store.table<KnownRating>('rating');
	const marks = store.table<object>('mark');
	const allMarkedAt = marks.entry(ALL_PRODUCTS)?.fetchedAt ?? Number.NEGATIVE_INFINITY;

	// When a rating moves, its row is written before the reviews are fetched. A row newer than the reviews means that
	// they still have to be fetched, even in the build after a failed one.
	const compareOne = (
		pid: string,
		rating: KnownRating,
		stored: readonly StoredEntry[],
		last: StoredEntry | undefined,
	) => {
		if (stored.length === 0) return;
		// If operation 1 has never been called for this product, compare with the summaries of the stored rows.
		const isMoved = (last ? [last] : stored).some(({ summary }) => {
			const known = last ? parse(summary) : { ...NO_RATING, ...parse(summary) };
			return !known || !isSameRating(known, rating);
		});
		if (isMoved) ratings.put(pid, packRating(rating), now());
		else if (!last)
			ratings.put(pid, packRating(rating), Math.min(...stored.map(({ fetchedAt }) => fetchedAt)));
	};

	return {
		isOutdated: (pid, fetchedAt) =>
			allMarkedAt > fetchedAt ||
			[marks, ratings].some(
				(table) => !table.isEmpty() && (table.entry(pid)?.fetchedAt ?? Number.NEGATIVE_INFINITY) > fetchedAt,
			),
		mark(pids) {
			for (const pid of pids) marks.put(pid, NO_VALUE, now());
		},
		compare(pids, answer) {
			const stored = [reviews.entries(pids), reviewData.entries(pids)];
			const last = ratings.entries(pids);
			for (const pid of pids) {
				const rows = stored.flatMap((entries) => entries.get(pid) ?? []);
				compareOne(pid, answer.get(pid) ?? NO_RATING, rows, last.get(pid));
			}
		},
	};
}

function parse(summary: string | undefined): KnownRating | undefined {
	return summary === undefined ? undefined : (JSON.parse(summary) as KnownRating);
}
