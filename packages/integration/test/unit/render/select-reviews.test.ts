import { expect, test } from 'vitest';
import { isSplitByRating, ORDERS_WITHOUT_VOTES, selectReviews } from '../../../src/render/select-reviews.js';
import { fullReview } from '../../support/unit/review-data.js';

const REVIEWS = [
	fullReview({
		...{ title: 'a', rating: 3, date: '2026-01-01', helpfulCount: 1 },
		...{ verified: false, recommends: false },
	}),
	fullReview({
		title: 'b',
		language: undefined,
		rating: 5,
		date: '2026-03-01',
		helpfulCount: 9,
		images: [],
		videos: [],
	}),
	fullReview({ title: 'c', rating: 4.5, date: '2026-02-01', helpfulCount: 9, unhelpfulCount: 0, tags: [] }),
	fullReview({
		...{ title: 'd', rating: undefined, date: undefined, helpfulCount: 0 },
		...{ pinned: true, body: undefined, language: 'pt-BR' },
	}),
];

const titles = (reviews: readonly { title?: string | undefined }[]) =>
	reviews.map(({ title }) => title).join('');

test.each<[object, string]>([
	[{}, 'dabc'],
	[{ sort: null, limit: null }, 'dabc'],
	[{ sort: 'newest' }, 'dbca'],
	[{ sort: 'highest' }, 'dbca'],
	[{ sort: 'lowest' }, 'dacb'],
	[{ sort: 'helpful' }, 'dcba'],
	[{ limit: '3' }, 'dab'],
	[{ limit: 2.9 }, 'da'],
	[{ limit: 0 }, ''],
	[{ limit: -1 }, ''],
	[{ limit: Number.POSITIVE_INFINITY }, 'dabc'],
	[{ filter: { stars: 5 } }, 'bc'],
	[{ filter: { stars: [3, 4] } }, 'a'],
	[{ filter: { minRating: 4.5 } }, 'bc'],
	[{ filter: { verified: false } }, 'a'],
	[{ filter: { recommends: true } }, 'dbc'],
	[{ filter: { hasMedia: false } }, 'b'],
	[{ filter: { hasText: true, minRating: 5 } }, 'b'],
	[{ filter: { language: 'NB' } }, 'ac'],
	[{ filter: { language: 'nb-NO' } }, ''],
	[{ filter: { language: 'pt' } }, 'd'],
	[{ filter: { language: 'p' } }, ''],
	[{ filter: { tag: 'kitchen', verified: true } }, 'db'],
	[{ filter: { topic: 'quality' } }, 'dabc'],
	[{ filter: { testimonial: false } }, ''],
	[{ filter: { stars: undefined } }, 'dabc'],
	[{ filter: ({ title }: { title: string }) => title > 'b' }, 'dc'],
])('%j selects %j, and leaves the reviews as they were', (selection, expected) => {
	expect(titles(selectReviews(REVIEWS, selection))).toBe(expected);
	expect(titles(REVIEWS)).toBe('abcd');
});

test('reviews of which little is known are selected like all others, those without what the order needs last', () => {
	const few = [{ title: 'a' }, { title: 'b', rating: 2, date: '2026-01-01' }, { title: 'c', rating: 4 }];
	const orders = ['as-sent', 'newest', 'highest', 'lowest'] as const;
	const select = (sort: (typeof orders)[number]) =>
		titles(
			selectReviews(few, { sort, filter: { recommends: false, hasMedia: false } }, ORDERS_WITHOUT_VOTES),
		);
	expect(orders.map(select)).toEqual(['abc', 'bac', 'cba', 'bca']);
	const many = Array.from({ length: 101 }, () => ({}));
	expect(selectReviews(many, {})).toHaveLength(100);
});

test.each<[object, string]>([
	[{ filter: { rating: 5 } }, "expected each key of `filter` to be one of 'stars', 'minRating', "],
	[{ filter: { Verifed: true } }, "received 'Verifed'. Did you mean 'verified'?"],
	[{ filter: 'verified' }, 'to be a function or an object, received a value of type string.'],
	[{ sort: 'toString' }, "'helpful', received 'toString'."],
	[{ sort: 'newst' }, "received 'newst'. Did you mean 'newest'?"],
	[{ sort: 'latest' }, "received 'latest'. Did you mean 'newest'?"],
	[{ limit: 'ten' }, "expected `limit` to be a number, received 'ten'."],
])('%j is an error', (selection, message) => {
	expect(() => selectReviews(REVIEWS, selection)).toThrow(message);
});

type Rating = number | undefined;

test.each<[filter: Parameters<typeof isSplitByRating>[0], ratings: Rating[], isSplit: boolean]>([
	[undefined, [5, 1], false],
	[{}, [5, 1], false],
	[{ verified: true, hasText: true }, [5, 1], false],
	[{ minRating: 3 }, [5, 1], true],
	[{ stars: [4, 5] }, [5, 1], true],
	[({ rating = 0 }) => rating >= 3, [5, 4, 3, 2, 1], true],
	[({ rating = 0 }) => rating >= 3, [5, 4, 3], false],
	[({ rating = 0 }) => rating < 3, [5, 1], false],
	[({ rating }) => rating !== undefined, [5, 4, undefined], false],
	[({ rating }) => rating !== 1, [5, 1, undefined], false],
	[({ rating }) => rating !== 3, [5, 3, 1], false],
	// One that drops one of two equal ratings is about something else.
	[({ key }) => key === 'r-0', [3, 3], false],
])('the filter %j leaves out low ratings of %j: %j', (filter, ratings, isSplit) => {
	const reviews = ratings.map((rating, index) => fullReview({ rating, key: `r-${index}` }));
	expect(isSplitByRating(filter, reviews)).toBe(isSplit);
});
