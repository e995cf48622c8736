import type { FullReview } from '../../parse/review-data.js';
import { type ReviewOrder, selectReviews } from '../select-reviews.js';
import { readCount } from './read-count.js';
import { type ReviewFilter, type ReviewTest, toReviewTest } from './review-filter.js';

/** The order in which full reviews are shown; `'helpful'` begins with what most people found helpful. */
export type FullReviewOrder = ReviewOrder | 'helpful';

/** Which reviews are shown, and in which order. */
export interface ReviewSelection {
	/** A function that tells whether a review is shown, or what has to be true of one. @default all reviews */
	filter?: ReviewFilter | ReviewTest | undefined;
	/** What the merchant pinned comes first in every order. @default 'as-sent' */
	sort?: FullReviewOrder | undefined;
	/** How many reviews at the most. `Infinity` is all: the page grows by about 1 KB a review. @default 100 */
	limit?: number | undefined;
}

const DEFAULT_LIMIT = 100;

/** The reviews to show, in order. @throws TypeError for a selection that cannot be used */
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
