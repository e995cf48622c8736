import type { FullReview } from '../../parse/review-data.js';
import { type ReviewOrder, selectReviews } from '../select-reviews.js';
import { readCount } from './read-count.js';
import { type ReviewFilter, type ReviewTest, toReviewTest } from './review-filter.js';

/** The order in which full reviews are shown. `'helpful'` starts with the most helpful ones. */
export type FullReviewOrder = ReviewOrder | 'helpful';

/** Which reviews are shown, and in which order. */
export interface ReviewSelection {
	/** The conditions that a review must meet, or a function that returns whether to show it. @default all reviews */
	filter?: ReviewFilter | ReviewTest | undefined;
	/** Reviews pinned by the merchant come first in every order. @default 'as-sent' */
	sort?: FullReviewOrder | undefined;
	/** Maximum number of reviews. `Infinity` shows all. The page grows by about 1 KB per review. @default 100 */
	limit?: number | undefined;
}

const DEFAULT_LIMIT = 100;

/** The reviews to show, in order. @throws TypeError for an invalid selection */
export function selectFullReviews(
	reviews: readonly FullReview[],
	{ filter, sort, limit }: ReviewSelection,
): readonly FullReview[] {
	const wanted = reviews.filter(toReviewTest(filter));
	const ordered = sort === 'helpful' ? wanted.toSorted(byHelpfulness) : selectReviews(wanted, sort);
	const most = readCount('limit', limit ?? DEFAULT_LIMIT);
	const pinned = ordered.filter((review) => review.pinned);
	const others = pinned.length > 0 ? ordered.filter((review) => !review.pinned) : ordered;
	return [...pinned, ...others].slice(0, most);
}

function byHelpfulness(a: FullReview, b: FullReview): number {
	return b.helpfulCount - a.helpfulCount || a.unhelpfulCount - b.unhelpfulCount;
}
