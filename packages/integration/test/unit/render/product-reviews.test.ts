import { describe, expect, test } from 'vitest';
import { InvalidPropError } from '../../../src/errors.js';
import { findElements } from '../../support/page/elements.js';
import { displayed, NOTHING, record } from '../../support/unit/record.js';
import { type Props, write } from '../../support/unit/write.js';

const render = (props: Props = {}, product = record(), labels = {}) =>
	write('ProductReviews', product, props, { labels });

describe('hidden: the structure that the service documents', () => {
	test('everything known; a part that is not known is not there', () => {
		expect(render()).toMatchInlineSnapshot(
			`"<div class="product-reviews_b-17" data-id="b-17" data-block-handle="reviews-block" data-display="hidden" aria-hidden="true"><h2>Customer Reviews</h2><div class="review-item"><div class="review-product"><a class="review-product-link" href="https://shop.example/products/p-1" tabindex="-1" dir="auto">Kettle</a></div><div class="review-author" dir="auto">Ada</div><div class="review-rating" dir="auto">Rating: 5/5</div><div class="review-title" dir="auto">Good</div><div class="review-body" dir="auto">Boils fast.</div><div class="review-date" dir="auto">2026-11-20</div></div></div>"`,
		);
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

	test('a block id is one class; attributes of the page are added, and take the place of none', () => {
		const spaced = record({ blockId: 'a b\tc' });
		expect(render({}, spaced)).toContain('class="product-reviews_a-b-c" data-id="a b\tc"');
		const own = { 'aria-hidden': 'false', 'data-display': 'visible', 'data-x': 1 };
		const html = render({ class: 'mine', id: 'r', ...own });
		expect(html.slice(0, html.indexOf('>') + 1)).toBe(
			'<div class="product-reviews_b-17 mine" data-id="b-17" data-block-handle="reviews-block" data-display="hidden" aria-hidden="true" id="r" data-x="1">',
		);
	});
});

describe('visible and details', () => {
	test('a list that people see, or behind a summary', () => {
		expect(render({ display: 'visible' })).toMatchInlineSnapshot(
			`"<section class="pr-product-reviews" aria-label="Customer Reviews" data-display="visible"><h2 class="pr-heading" dir="auto">Customer Reviews</h2><p class="pr-summary"><svg class="pr-stars" width="5.4em" height="1em" aria-hidden="true"><rect width="90.7%"/></svg> <span class="pr-summary-text">4.5 out of 5, 2 reviews</span></p><p class="pr-shown">1 of 2 reviews</p><div class="pr-groups"><ol class="pr-items" role="list"><li class="pr-item" data-stars="5"><article class="pr-review"><h3 class="pr-title" dir="auto">Good</h3><p class="pr-head"><svg class="pr-stars" width="5.4em" height="1em" role="img" aria-label="5 out of 5 stars"><rect width="100%"/></svg> <span class="pr-author"><bdi>Ada</bdi></span> <time class="pr-date" datetime="2026-11-20">Nov 20, 2026</time></p><p class="pr-body" dir="auto">Boils fast.</p></article></li></ol></div></section>"`,
		);
		const bare = record({ reviews: [displayed({ ...NOTHING, rating: 4 })] });
		expect(render({ display: 'details', class: 'mine' }, bare)).toMatchInlineSnapshot(
			`"<details class="pr-product-reviews mine" aria-label="Customer Reviews" data-display="details"><summary class="pr-summary"><svg class="pr-stars" width="5.4em" height="1em" aria-hidden="true"><rect width="90.7%"/></svg> <span class="pr-summary-text">4.5 out of 5, 2 reviews</span></summary><h2 class="pr-heading" dir="auto">Customer Reviews</h2><p class="pr-shown">1 of 2 reviews</p><div class="pr-groups"><ol class="pr-items" role="list"><li class="pr-item" data-stars="4"><article class="pr-review"><p class="pr-head"><svg class="pr-stars" width="5.4em" height="1em" role="img" aria-label="4 out of 5 stars"><rect width="81.5%"/></svg> <span class="pr-author"><bdi>Anonymous</bdi></span></p></article></li></ol></div></details>"`,
		);
	});

	test('without a rating the summary is the heading; no class of the page is no class, an empty heading none', () => {
		const unrated = record({ aggregate: undefined });
		const details = render({ display: 'details', heading: 'Voices' }, unrated);
		expect(details).toContain('<summary class="pr-summary">Voices</summary>');
		expect(render({ display: 'visible' }, unrated)).not.toContain('pr-summary');
		const html = render({ display: 'visible', class: undefined, heading: '' });
		expect(html).toContain('<div class="pr-product-reviews" data-display="visible">');
		expect(html).not.toContain('pr-heading');
		expect(html).toContain('<h2 class="pr-title"');
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
		[null, 2, 3],
		['3', 3, 4],
		[-4, 1, 2],
		[2.9, 2, 3],
		[Number.POSITIVE_INFINITY, 6, 6],
	])('headingLevel %j is h%i, titles are h%i', (headingLevel, level, title) => {
		const html = render({ display: 'visible', headingLevel });
		expect(html).toContain(`<h${level} class="pr-heading" dir="auto">Customer Reviews</h${level}>`);
		expect(html).toContain(`<h${title} class="pr-title" dir="auto">Good</h${title}>`);
	});
});

test('nothing at all is written for a product without reviews', () => {
	for (const display of ['hidden', 'visible', 'details'] as const) {
		expect(render({ display }, record({ reviews: [], aggregate: undefined }))).toBe('');
		expect(write('ProductReviews', undefined, { display })).toBe('');
	}
});

test('a rating without reviews is shown, where anybody can see it', () => {
	const rated = record({ reviews: [] });
	const summary = '4.5 out of 5, 2 reviews</span></p></section>';
	for (const display of ['visible', 'details'] as const)
		expect(render({ display }, rated)).toContain(summary);
	expect(render({ display: 'hidden' }, rated)).toBe('');
});

const ORDERS = "'as-sent', 'newest', 'highest', 'lowest'";

test.each<[Props, string]>([
	[{ display: 'none' }, "expected `display` to be one of 'hidden', 'visible', 'details', received 'none'."],
	[{ headingLevel: 'h2' }, "expected `headingLevel` to be a number, received 'h2'."],
	[{ limit: Number.NaN }, "expected `limit` to be a number, received 'NaN'."],
	[{ sort: 'helpful' }, `expected \`sort\` to be one of ${ORDERS}, received 'helpful'.`],
	[{ limt: 3 }, 'there is no prop `limt`. Did you mean `limit`?'],
	[{ headinglevel: 3 }, 'there is no prop `headinglevel`. Did you mean `headingLevel`?'],
])('%j is an error whether the product has reviews or not', (props, message) => {
	for (const product of [record(), record({ reviews: [] }), undefined]) {
		expect(() => write('ProductReviews', product, props)).toThrow(new InvalidPropError(message));
	}
});

test('<StarRating> is stars, value and count, in the language of the prop, or else of the page', () => {
	const render = (props: Props = {}, average = 4.26) =>
		write('StarRating', { aggregate: { average, count: 1 } }, props);
	expect(render()).toMatchInlineSnapshot(
		`"<span class="pr-star-rating"><svg class="pr-stars" width="5.4em" height="1em" role="img" aria-label="4.3 out of 5 stars"><rect width="88.9%"/></svg> <span class="pr-value" aria-hidden="true">4.3</span> <span class="pr-count">1 review</span></span>"`,
	);
	expect(findElements(render({ compact: true })).text).toBe(' 4.3 (1)');
	expect(render({ compact: true })).toContain('role="img" aria-label="1 review">(1)<');
	expect(render({ lang: 'de' })).toContain('>4,3</span>');
	expect(render({ lang: null })).toContain('>4.3</span>');
	expect(render({ class: 'mine', id: 's' })).toContain('<span class="pr-star-rating mine" id="s">');
	// Each star is 1em wide, and 0.1em from the next, of 5.4em.
	const fills = [1, 4.5, 4.94, 4.96, 5].map(
		(average) => /rect width="([^"]*)"/.exec(render({}, average))?.[1],
	);
	expect(fills).toEqual(['20.4%', '90.7%', '94.4%', '100%', '100%']);
	for (const rating of [undefined, { aggregate: undefined }]) {
		expect(write('StarRating', rating, { class: 'mine' })).toBe('');
		const space = write('StarRating', rating, { compact: true, keepSpace: true });
		expect(space).toContain(
			'<span class="pr-star-rating" data-compact><svg class="pr-stars" width="5.4em" height="1em" aria-hidden="true" data-empty>',
		);
		expect(findElements(space).text).toBe('');
	}
});
