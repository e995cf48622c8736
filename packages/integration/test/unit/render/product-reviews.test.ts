import { describe, expect, test } from 'vitest';
import { parseOptions } from '../../../src/options/parse-options.js';
import { type ReviewListProps, renderProductReviews } from '../../../src/render/render-product-reviews.js';
import { findElements } from '../../support/page/elements.js';
import { displayed, record, renderOptions } from '../../support/unit/record.js';

type Props = ReviewListProps & Record<string, unknown>;
const render = (props: Props = {}, product = record(), options = renderOptions()) =>
	renderProductReviews(product, props, options);
const NOTHING = {
	productName: undefined,
	productUrl: undefined,
	author: undefined,
	rating: undefined,
	title: undefined,
	body: undefined,
	date: undefined,
};

describe('hidden: the structure that the service documents', () => {
	test('everything known', () => {
		expect(render()).toMatchInlineSnapshot(
			`"<div class="product-reviews_b-17" data-id="b-17" data-block-handle="reviews-block" data-display="hidden" aria-hidden="true"><h2>Customer Reviews</h2><div class="review-item"><div class="review-product"><a class="review-product-link" href="https://shop.example/products/p-1" tabindex="-1" dir="auto">Kettle</a></div><div class="review-author" dir="auto">Ada</div><div class="review-rating" dir="auto">Rating: 5/5</div><div class="review-title" dir="auto">Good</div><div class="review-body" dir="auto">Boils fast.</div><div class="review-date" dir="auto">2026-11-20</div></div></div>"`,
		);
	});

	test('a part that is not known is not there', () => {
		const html = render(
			{},
			record({
				blockId: undefined,
				handle: undefined,
				heading: undefined,
				reviews: [displayed({ ...NOTHING, body: 'x' })],
			}),
		);
		expect(html).toMatchInlineSnapshot(
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

	test('it is one line, and nobody but a crawler meets it', () => {
		const html = render({}, record({ reviews: [displayed({ body: 'a\r\nb\u2028c' }), displayed()] }));
		expect(html).not.toMatch(/[\r\n]/);
		const { elements } = findElements(html);
		expect(elements[0]?.attributes['aria-hidden']).toBe('true');
		for (const { tag, attributes } of elements) if (tag === 'a') expect(attributes['tabindex']).toBe('-1');
	});

	test('a block id with spaces is one class', () => {
		expect(render({}, record({ blockId: 'a b\tc' }))).toContain(
			'class="product-reviews_a-b-c" data-id="a b\tc"',
		);
	});

	test('attributes of the page are added, and take the place of none', () => {
		const html = render({
			class: 'mine',
			id: 'r',
			'aria-hidden': 'false',
			'data-display': 'visible',
			'data-x': 1,
		});
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
		expect(
			render(
				{ display: 'details', class: 'mine' },
				record({ reviews: [displayed({ ...NOTHING, rating: 4 })] }),
			),
		).toMatchInlineSnapshot(
			`"<details class="product-reviews mine" data-display="details"><summary class="product-reviews-summary"><span class="product-reviews-stars" aria-hidden="true" data-fill="4.5"></span> <span>4.5 out of 5, 2 reviews</span></summary><h2 class="product-reviews-heading" dir="auto">Customer Reviews</h2><ol class="product-reviews-list" role="list"><li><article class="review-item"><p class="review-rating"><span class="product-reviews-stars" role="img" aria-label="4 out of 5 stars" data-fill="4.0"></span></p><p class="review-meta"><span class="review-author" dir="auto">Anonymous</span></p></article></li></ol></details>"`,
		);
	});

	test('without a rating the summary is the heading', () => {
		const html = render({ display: 'details', heading: 'Voices' }, record({ aggregate: undefined }));
		expect(html).toContain('<summary class="product-reviews-summary">Voices</summary>');
		expect(render({ display: 'visible' }, record({ aggregate: undefined }))).not.toContain(
			'product-reviews-summary',
		);
	});

	test('no class of the page is no class', () => {
		expect(render({ display: 'visible', class: undefined })).toContain(
			'<section class="product-reviews" data-display="visible">',
		);
	});

	test('an empty heading is none', () => {
		const html = render({ display: 'visible', heading: '' });
		expect(html).not.toContain('product-reviews-heading');
		expect(html).toContain('<h3 class="review-title"');
	});
});

describe('the heading', () => {
	const withLabel = renderOptions({ labels: parseOptions({ labels: { heading: 'Label <b>' } }).labels });
	test.each<[string, Props, ReturnType<typeof record>, ReturnType<typeof renderOptions>, string]>([
		['the prop', { heading: 'Prop' }, record(), withLabel, 'Prop'],
		['the label', {}, record(), withLabel, 'Label &lt;b&gt;'],
		['what the service sends', {}, record(), renderOptions(), 'Customer Reviews'],
		['our own', {}, record({ heading: undefined }), renderOptions(), 'Customer reviews'],
	])('%s', (_what, props, product, options, expected) => {
		expect(render(props, product, options)).toContain(`<h2>${expected}</h2>`);
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
		const html = render({ display: 'visible', headingLevel: headingLevel as number });
		expect(html).toContain(
			`<h${level} class="product-reviews-heading" dir="auto">Customer Reviews</h${level}>`,
		);
		expect(html).toContain(`<h${title} class="review-title" dir="auto">Good</h${title}>`);
	});
});
