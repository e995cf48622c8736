import { expect, test } from 'vitest';
import {
	isSplitByRating,
	type ReviewFilter,
	type ReviewTest,
} from '../../../../src/render/review-data/review-filter.js';
import { fullReview } from '../../../support/unit/review-data.js';

const rated = (...ratings: (number | undefined)[]) => ratings.map((rating) => fullReview({ rating }));

test.each<[filter: ReviewFilter | ReviewTest | undefined, ratings: (number | undefined)[], isSplit: boolean]>(
	[
		[undefined, [5, 1], false],
		[{}, [5, 1], false],
		[{ verified: true, withText: true }, [5, 1], false],
		[{ minRating: 3 }, [5, 1], true],
		[{ stars: [4, 5] }, [5, 1], true],
		[({ rating = 0 }) => rating >= 3, [5, 4, 3, 2, 1], true],
		[({ rating = 0 }) => rating >= 3, [5, 4, 3], false],
		[({ rating = 0 }) => rating < 3, [5, 1], false],
		[({ rating }) => rating !== undefined, [5, 4, undefined], false],
		[({ rating }) => rating !== 1, [5, 1, undefined], false],
		[({ rating }) => rating !== 3, [5, 3, 1], false],
	],
)('%j keeps some of %j', (filter, ratings, isSplit) => {
	expect(isSplitByRating(filter, rated(...ratings))).toBe(isSplit);
});

test('a filter that drops one of two equal ratings is about something else', () => {
	const reviews = [fullReview({ rating: 3 }), fullReview({ rating: 3, verified: false })];
	expect(isSplitByRating(({ verified }) => verified, reviews)).toBe(false);
});
