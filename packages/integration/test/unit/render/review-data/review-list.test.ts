import { describe, expect, test } from 'vitest';
import type { ReviewData } from '../../../../src/parse/review-data.js';
import { renderFullReviewList } from '../../../../src/render/review-data/render-full-review-list.js';
import { findElements } from '../../../support/page/elements.js';
import { renderOptions } from '../../../support/unit/record.js';
import { fullReview, reviewData } from '../../../support/unit/review-data.js';

const write = (data: ReviewData, props: Record<string, unknown> = {}, own?: string[]) =>
	renderFullReviewList(data, props, renderOptions(), own).html;

const REVIEWS = [
	fullReview({
		title: 'a',
		rating: 3,
		date: '2026-01-01',
		helpfulCount: 1,
		verified: false,
		recommends: false,
	}),
	fullReview({ title: 'b', rating: 5, date: '2026-03-01', helpfulCount: 9, images: [], videos: [] }),
	fullReview({ title: 'c', rating: 4.5, date: '2026-02-01', helpfulCount: 9, unhelpfulCount: 0, tags: [] }),
	fullReview({
		title: 'd',
		rating: undefined,
		date: undefined,
		helpfulCount: 0,
		pinned: true,
		body: undefined,
	}),
];
const DATA = reviewData({ reviews: REVIEWS });

const titles = (props: Record<string, unknown>) =>
	[...write(DATA, props).matchAll(/review-title" dir="auto">(\w)/g)].map(([, title]) => title).join('');

describe('which reviews are shown', () => {
	test.each<[Record<string, unknown>, string]>([
		[{}, 'dabc'],
		[{ sort: 'newest' }, 'dbca'],
		[{ sort: 'highest' }, 'dbca'],
		[{ sort: 'lowest' }, 'dacb'],
		[{ sort: 'helpful' }, 'dcba'],
		[{ limit: 2 }, 'da'],
		[{ limit: '3' }, 'dab'],
		[{ limit: 0 }, ''],
		[{ limit: Number.POSITIVE_INFINITY }, 'dabc'],
		[{ filter: { stars: 5 } }, 'bc'],
		[{ filter: { stars: [3, 4] } }, 'a'],
		[{ filter: { minRating: 4.5 } }, 'bc'],
		[{ filter: { verified: false } }, 'a'],
		[{ filter: { recommends: true } }, 'dbc'],
		[{ filter: { withMedia: false } }, 'b'],
		[{ filter: { withText: true, minRating: 5 } }, 'b'],
		[{ filter: { tag: 'kitchen', verified: true } }, 'db'],
		[{ filter: { topic: 'quality' } }, 'dabc'],
		[{ filter: { testimonial: false } }, ''],
		[{ filter: { stars: undefined } }, 'dabc'],
		[{ filter: ({ title }: { title: string }) => title > 'b' }, 'dc'],
	])('%j: %j', (props, expected) => {
		expect(titles(props)).toBe(expected);
	});

	test.each<[Record<string, unknown>, string]>([
		[{ filter: { rating: 5 } }, "received 'rating'"],
		[
			{ filter: 'verified' },
			'Expected `filter` to be a function or an object, received a value of type string.',
		],
		[{ sort: 'best' }, "received 'best'"],
		[{ perPage: 'few' }, "Expected `perPage` to be a number, received 'few'."],
	])('%j is an error', (props, message) => {
		expect(() => write(DATA, props)).toThrow(message);
	});
});

test('everything that is known of a review', () => {
	const { text } = findElements(write(reviewData({ reviews: [fullReview({ pinned: true })] })));
	for (const part of [
		...['Good', 'Ada', 'Oslo, Norway', 'November 20, 2026', 'First published on Another shop', 'Pinned'],
		...[
			'Verified buyer',
			'Testimonial',
			'Boils fast.',
			'Recommends this product',
			'How often? Daily',
			'kitchen',
		],
		...['3 people found this helpful', '1 person did not'],
	]) {
		expect(text).toContain(part);
	}
});

test('nothing is said of what is not known', () => {
	const bare = fullReview({
		...{ rating: undefined, author: undefined, title: undefined, date: undefined, recommends: undefined },
		...{ city: undefined, state: undefined, country: undefined, images: [], videos: [], tags: [] },
		...{ customQuestions: [], verified: false, testimonial: false, externalSource: undefined },
		...{ helpfulCount: 0, unhelpfulCount: 0 },
	});
	const { text } = findElements(write(reviewData({ reviews: [bare] })));
	expect(text).toBe('Customer reviewsAnonymousBoils fast.');
});

test('a review that does not recommend the product says so', () => {
	const html = write(reviewData({ reviews: [fullReview({ recommends: false })] }));
	expect(html).toContain('>Does not recommend this product</p>');
});

describe('groups', () => {
	const many = (count: number) =>
		reviewData({ reviews: Array.from({ length: count }, () => fullReview({ images: [], videos: [] })) });

	test('the first page is open, every further one is behind its "more"', () => {
		const html = write(many(45), { perPage: 20 });
		expect(html.match(/(?<=review-more-summary">)[^<]*/g)).toEqual(['20 more reviews', '5 more reviews']);
		expect(html.match(/<li data-stars/g)).toHaveLength(45);
	});

	test('of 5,000 reviews there are 100, or as many as the page wants, and no deeper for it', () => {
		expect(write(many(5_000)).match(/<li data-stars/g)).toHaveLength(100);
		const all = write(many(5_000), { limit: Number.POSITIVE_INFINITY, perPage: 1 });
		expect(all.match(/<li data-stars/g)).toHaveLength(5_000);
		expect(all).not.toMatch(
			/<details[^>]*><summary[^>]*>[^<]*<\/summary><ol[^>]*>(?:(?!<\/details>).)*<details class="review-more"/,
		);
	});
});

describe('choice of stars', () => {
	const inputs = (data: ReviewData, props: Record<string, unknown> = {}) =>
		findElements(write(data, props))
			.elements.filter(({ tag }) => tag === 'input')
			.map(({ attributes: { value, checked, disabled } }) =>
				[value, checked ?? disabled].filter((part) => part !== undefined),
			);

	test('one for all and each number of stars; what no review has cannot be chosen', () => {
		expect(inputs(DATA)).toEqual([['all', ''], ['5'], ['4', ''], ['3'], ['2', ''], ['1', '']]);
		expect(write(DATA)).toContain('>5 stars <span class="review-filter-count">2</span>');
	});

	test('it is left out where all have the same stars, and where the page does not want it', () => {
		expect(inputs(reviewData({ reviews: [fullReview(), fullReview()] }))).toEqual([]);
		expect(inputs(DATA, { starFilter: false })).toEqual([]);
	});

	test('each list has its own', () => {
		const { elements } = findElements(write(DATA));
		expect(elements.filter(({ tag }) => tag === 'form')).toMatchObject([
			{ attributes: { method: 'dialog' } },
		]);
	});
});

test('images are lazy, sized, tell no address and have a text', () => {
	const { elements } = findElements(write(reviewData({ reviews: [fullReview({ author: 'A "B"' })] })));
	const [thumbnail] = elements.filter(({ tag }) => tag === 'img');
	expect(thumbnail?.attributes).toEqual({
		class: 'review-media-image',
		src: 'https://images.example/1.jpg',
		alt: 'Photo by A "B"',
		width: '160',
		height: '160',
		loading: 'lazy',
		decoding: 'async',
		referrerpolicy: 'no-referrer',
	});
	expect(elements.find(({ tag }) => tag === 'video')?.attributes).toEqual({
		class: 'review-media-large review-media-player',
		src: 'https://images.example/1.mp4',
		'aria-label': 'Video by A "B"',
		controls: '',
		playsinline: '',
		preload: 'none',
	});
});

test("reviews in the page's own markup stand in the same list", () => {
	const html = write(DATA, { limit: 2 }, ['<b>one</b>', '<b>two</b>']);
	expect(html).toContain(
		'<li data-stars="0" class="review-list-item"><b>one</b></li><li data-stars="3" class="review-list-item"><b>two</b></li>',
	);
});
