import type { ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { Ratings } from '../service/review-service.js';
import type { ReviewStore, StoredEntry } from '../store/review-store.js';
import { type KnownRating, NO_RATING, NO_VALUE, packRating } from './known-rating.js';

/** Knows which stored products may be outdated, whatever their age. What it learns is kept in the store. */
export interface Revalidation {
	/**
	 * Whether something became known after this time that makes what was fetched then outdated.
	 * @param fetchedAt milliseconds since 1970.
	 */
	isOutdated(pid: string, fetchedAt: number): boolean;
	/** Marks products whose reviews changed. They stay marked until they are fetched. */
	mark(pids: readonly string[]): void;
	/** Compares what the service says of products with what was known, and marks those that moved. */
	compare(pids: readonly string[], ratings: Ratings): void;
}

/** @param now milliseconds since 1970. */
export function createRevalidation(store: ReviewStore, now: () => number): Revalidation {
	const reviews = store.table<ProductReviews>('reviews');
	const reviewData = store.table<ReviewData>('review-data');
	const ratings = store.table<KnownRating>('rating');
	const marks = store.table<object>('mark');

	// What is known of a product is written when it moves, before its reviews are fetched: a row that is younger than the
	// reviews says that they are still to be fetched, also in the build after one that failed.
	const compareOne = (
		pid: string,
		rating: KnownRating,
		stored: readonly StoredEntry[],
		last: StoredEntry | undefined,
	) => {
		if (stored.length === 0) return;
		// Before operation 1 was ever asked, the rows themselves say what is known.
		const isMoved = (last ? [last] : stored).some(({ summary }) => {
			const known = last ? parse(summary) : { ...NO_RATING, ...parse(summary) };
			return !known || !isSame(known, rating);
		});
		if (isMoved) ratings.put(pid, packRating(rating), now());
		else if (!last)
			ratings.put(pid, packRating(rating), Math.min(...stored.map(({ fetchedAt }) => fetchedAt)));
	};

	return {
		isOutdated: (pid, fetchedAt) =>
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

/** An average is rounded by whoever writes it; without ratings it means nothing. */
function isSame(known: KnownRating, rating: KnownRating): boolean {
	if (known.count !== rating.count) return false;
	if (rating.count > 0 && Math.abs(known.average - rating.average) > 0.005) return false;
	const counts = [known.questionCount, rating.questionCount];
	return counts.includes(undefined) || counts[0] === counts[1];
}
