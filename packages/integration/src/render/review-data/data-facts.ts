import type { FullReview, ReviewData } from '../../parse/review-data.js';
import type { Facts } from '../facts.js';
import { isSplitByRating } from './review-filter.js';
import type { ReviewSelection } from './select-full-reviews.js';

/** Facts about a rating. */
export function ratingFacts(data: ReviewData | undefined): Facts[] {
	return data?.aggregate ? [{ component: 'RatingSummary', count: data.aggregate.count }] : [];
}

/** Facts about a list of reviews. @param shown the reviews in the list. */
export function listFacts(
	data: ReviewData | undefined,
	shown: readonly FullReview[],
	{ sort = 'as-sent', filter }: ReviewSelection,
): Facts[] {
	if (!data || shown.length === 0) return [];
	return [
		{
			component: 'ReviewList',
			display: 'visible',
			count: data.aggregate?.count,
			// Pinned reviews come first in every order, so only the others are sure to be the first of `sort`.
			shown: filter ? 0 : shown.filter(({ pinned }) => !pinned).length,
			isAll: shown.length === data.reviews.length,
			...(isSplitByRating(filter, data.reviews) && { isSplitByRating: true }),
			sort: sort ?? 'as-sent',
		},
	];
}
