import { describe, expect, test } from 'vitest';
import { InvalidPropError } from '../../../src/errors.js';
import { displayed, record } from '../../support/unit/record.js';
import { type Props, write } from '../../support/unit/write.js';

const render = (props: Props = {}, product = record(), labels = {}) =>
	write('ProductReviews', product, props, { labels });
const NOTHING = {
	...{ productName: undefined, productUrl: undefined, author: undefined, rating: undefined },
	...{ title: undefined, body: undefined, date: undefined },
};

describe('hidden: the structure that the service documents', () => {
	test('everything known', () => {
		expect(render()).toMatchInlineSnapshot(
			`"<div class="product-reviews_b-17" data-id="b-17" data-block-handle="reviews-block" data-display="hidden" aria-hidden="true"><h2>Customer Reviews</h2><div class="review-item"><div class="review-product"><a class="review-product-link" href="https://shop.example/products/p-1" tabindex="-1" dir="auto">Kettle</a></div><div class="review-author" dir="auto">Ada</div><div class="review-rating" dir="auto">Rating: 5/5</div><div class="review-title" dir="auto">Good</div><div class="review-body" dir="auto">Boils fast.</div><div class="review-date" dir="auto">2026-11-20</div></div></div>"`,
		);
	});

	test('a part that is not known is not there', () => {
		const bare = { blockId: undefined, handle: undefined, heading: undefined };
		const reviews = [displayed({ ...NOTHING, body: 'x' })];
		expect(render({}, record({ ...bare, reviews }))).toMatchInlineSnapshot(
			`"<div class="product-reviews_reviews" data-id="reviews" data-block-handle="reviews" data-display="hidden" aria-hidden="true"><h2>Customer reviews</h2><div class="review-item"><div class="review-body" dir="auto">x</div></div></div>"`,
		);
	});

	test.each<[Partial<ReturnType<typeof displayed>>, string]>([
		[{ productUrl: undefined }, '<div class="review-product" dir="auto">Kettle</div>'],
		[{ productName: undefined }, 'tabindex="-1" dir="auto">https://shop.example/products/p-1</a>'],
		[{ rating: 4.5 }, '<div class="review-rating" dir="auto">Rating: 4.5/5</div>'],
		[{ body: 'a\nb' }, '<div class="review-body" dir="auto">a&#10;b</div>'],
	])('%j', (parts, expected) => {
		expect(render({}, record({ reviews: [displayed(parts)] }))).toContain(expected);
	});

	test('a block id with spaces is one class', () => {
		expect(render({}, record({ blockId: 'a b\tc' }))).toContain(
			'class="product-reviews_a-b-c" data-id="a b\tc"',
		);
	});

	test('attributes of the page are added, and take the place of none', () => {
		const own = { 'aria-hidden': 'false', 'data-display': 'visible', 'data-x': 1 };
		const html = render({ class: 'mine', id: 'r', ...own });
		expect(html.slice(0, html.indexOf('>') + 1)).toBe(
			'<div class="product-reviews_b-17 mine" data-id="b-17" data-block-handle="reviews-block" data-display="hidden" aria-hidden="true" id="r" data-x="1">',
		);
	});
});

describe('visible and details', () => {
	test('a list that people see', () => {
		expect(render({ display: 'visible' })).toMatchInlineSnapshot(
			`"<section class="product-reviews" data-display="visible"><h2 class="product-reviews-heading" dir="auto">Customer Reviews</h2><p class="product-reviews-summary"><span class="product-reviews-stars" aria-hidden="true" data-fill="4.5"></span> <span>4.5 out of 5, 2 reviews</span></p><ol class="product-reviews-list" role="list"><li><article class="review-item"><h3 class="review-title" dir="auto">Good</h3><p class="review-rating"><span class="product-reviews-stars" role="img" aria-label="5 out of 5 stars" data-fill="5.0"></span></p><p class="review-body" dir="auto">Boils fast.</p><p class="review-meta"><span class="review-author" dir="auto">Ada</span> <time class="review-date" datetime="2026-11-20">November 20, 2026</time></p></article></li></ol></section>"`,
		);
	});

	test('behind a summary', () => {
		const bare = record({ reviews: [displayed({ ...NOTHING, rating: 4 })] });
		expect(render({ display: 'details', class: 'mine' }, bare)).toMatchInlineSnapshot(
			`"<details class="product-reviews mine" data-display="details"><summary class="product-reviews-summary"><span class="product-reviews-stars" aria-hidden="true" data-fill="4.5"></span> <span>4.5 out of 5, 2 reviews</span></summary><h2 class="product-reviews-heading" dir="auto">Customer Reviews</h2><ol class="product-reviews-list" role="list"><li><article class="review-item"><p class="review-rating"><span class="product-reviews-stars" role="img" aria-label="4 out of 5 stars" data-fill="4.0"></span></p><p class="review-meta"><span class="review-author" dir="auto">Anonymous</span></p></article></li></ol></details>"`,
		);
	});

	test('without a rating the summary is the heading', () => {
		const unrated = record({ aggregate: undefined });
		expect(render({ display: 'details', heading: 'Voices' }, unrated)).toContain(
			'<summary class="product-reviews-summary">Voices</summary>',
		);
		expect(render({ display: 'visible' }, unrated)).not.toContain('product-reviews-summary');
	});

	test('no class of the page is no class, and an empty heading none', () => {
		const html = render({ display: 'visible', class: undefined, heading: '' });
		expect(html).toContain('<section class="product-reviews" data-display="visible">');
		expect(html).not.toContain('product-reviews-heading');
		expect(html).toContain('<h3 class="review-title"');
	});
});

describe('the heading', () => {
	test.each<[string, Props, ReturnType<typeof record>, Readonly<Record<string, string>>, string]>([
		['the prop', { heading: 'Prop' }, record(), { heading: 'Label <b>' }, 'Prop'],
		['the label', {}, record(), { heading: 'Label <b>' }, 'Label &lt;b&gt;'],
		['the label on a page in any language', { lang: 'de' }, record(), { heading: 'Stimmen' }, 'Stimmen'],
		['what the service sends, on English pages', { lang: 'en-GB' }, record(), {}, 'Customer Reviews'],
		['what the service sends, where there are no words', { lang: 'sv' }, record(), {}, 'Customer Reviews'],
		['our own in the language of the page', { lang: 'de' }, record(), {}, 'Kundenbewertungen'],
		['our own', {}, record({ heading: undefined }), {}, 'Customer reviews'],
	])('%s', (_what, props, product, labels, expected) => {
		expect(render(props, product, labels)).toContain(`<h2>${expected}</h2>`);
	});

	test.each<[unknown, number, number]>([
		[undefined, 2, 3],
		[null, 2, 3],
		[1, 1, 2],
		['3', 3, 4],
		[6, 6, 6],
		[0, 1, 2],
		[-4, 1, 2],
		[9, 6, 6],
		[2.9, 2, 3],
		[Number.POSITIVE_INFINITY, 6, 6],
	])('headingLevel %j is h%i, titles are h%i', (headingLevel, level, title) => {
		const html = render({ display: 'visible', headingLevel });
		expect(html).toContain(
			`<h${level} class="product-reviews-heading" dir="auto">Customer Reviews</h${level}>`,
		);
		expect(html).toContain(`<h${title} class="review-title" dir="auto">Good</h${title}>`);
	});
});

describe('order and number', () => {
	const reviews = [
		displayed({ title: 'a', rating: 3, date: '2026-01-01' }),
		displayed({ title: 'b', rating: undefined, date: '2026-03-01' }),
		displayed({ title: 'c', rating: 5, date: undefined }),
		displayed({ title: 'd', rating: 3, date: '2026-02-01' }),
		displayed({ title: 'e', rating: 1, date: '2026-02-01' }),
	];

	test.each<[Props, string]>([
		[{}, 'abcde'],
		[{ sort: 'as-sent' }, 'abcde'],
		[{ sort: null, limit: null }, 'abcde'],
		[{ sort: 'newest' }, 'bdeac'],
		[{ sort: 'highest' }, 'cadeb'],
		[{ sort: 'lowest' }, 'eadcb'],
		[{ limit: 2 }, 'ab'],
		[{ limit: '2' }, 'ab'],
		[{ limit: 2.9 }, 'ab'],
		[{ limit: 99 }, 'abcde'],
		[{ limit: Number.POSITIVE_INFINITY }, 'abcde'],
		[{ limit: 0 }, ''],
		[{ limit: -1 }, ''],
		[{ sort: 'highest', limit: 1 }, 'c'],
	])('%j shows %j, and leaves the record as it was', (props, expected) => {
		const html = render(props, record({ reviews }));
		const titles = [...html.matchAll(/review-title" dir="auto">(\w)/g)].map(([, title]) => title);
		expect(titles.join('')).toBe(expected);
		expect(reviews.map(({ title }) => title).join('')).toBe('abcde');
	});
});

test('nothing at all is written for a product without reviews', () => {
	for (const display of ['hidden', 'visible', 'details'] as const) {
		expect(render({ display }, record({ reviews: [] }))).toBe('');
		expect(write('ProductReviews', undefined, { display })).toBe('');
	}
});

const DISPLAYS = "'hidden', 'visible' or 'details'";
const ORDERS = "one of 'as-sent', 'newest', 'highest', 'lowest'";

test.each<[Props, string]>([
	[{ display: 'none' }, `Expected \`display\` to be ${DISPLAYS}, received 'none'.`],
	[{ display: 'constructor' }, `Expected \`display\` to be ${DISPLAYS}, received 'constructor'.`],
	[{ headingLevel: Number.NaN }, "Expected `headingLevel` to be a number from 1 to 6, received 'NaN'."],
	[{ headingLevel: 'h2' }, "Expected `headingLevel` to be a number from 1 to 6, received 'h2'."],
	[{ limit: Number.NaN }, "Expected `limit` to be a number of reviews, received 'NaN'."],
	[{ limit: 'ten' }, "Expected `limit` to be a number of reviews, received 'ten'."],
	[{ sort: 'oldest' }, `Expected \`sort\` to be ${ORDERS}, received 'oldest'.`],
	[{ sort: 'toString' }, `Expected \`sort\` to be ${ORDERS}, received 'toString'.`],
])('%j is an error whether the product has reviews or not', (props, message) => {
	for (const product of [record(), record({ reviews: [] }), undefined]) {
		expect(() => write('ProductReviews', product, props)).toThrow(new InvalidPropError(message));
	}
});
