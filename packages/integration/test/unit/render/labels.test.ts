import { describe, expect, test } from 'vitest';
import { parseOptions } from '../../../src/options/parse-options.js';
import { fillLabel, formatDate } from '../../../src/render/fill-label.js';
import { renderProductReviews } from '../../../src/render/render-product-reviews.js';
import { renderStarRating } from '../../../src/render/render-star-rating.js';
import { findElements } from '../../support/page/elements.js';
import { displayed, record, renderOptions } from '../../support/unit/record.js';

const EN = { one: '{count} review', other: '{count} reviews' };
const AR = {
	zero: 'صفر {count}',
	one: 'واحد {count}',
	two: 'اثنان {count}',
	few: 'قليل {count}',
	many: 'كثير {count}',
	other: 'آخر {count}',
};

describe('plural forms', () => {
	test.each<[string, Parameters<typeof fillLabel>[0], number, string]>([
		['en', EN, 0, '0 reviews'],
		['en', EN, 1, '1 review'],
		['en', EN, 1_234, '1,234 reviews'],
		['en', EN, 1.5, '1.5 reviews'],
		['de', EN, 1_234, '1.234 reviews'],
		['ja', { other: '{count}件' }, 1, '1件'],
		['ja', EN, 1, '1 reviews'],
		['ar-u-nu-latn', AR, 0, 'صفر 0'],
		['ar-u-nu-latn', AR, 1, 'واحد 1'],
		['ar-u-nu-latn', AR, 2, 'اثنان 2'],
		['ar-u-nu-latn', AR, 5, 'قليل 5'],
		['ar-u-nu-latn', AR, 11, 'كثير 11'],
		['ar-u-nu-latn', AR, 100, 'آخر 100'],
		['ar-EG', AR, 3, 'قليل ٣'],
		['ar', EN, 5, '5 reviews'],
		['not a language', EN, 1, '1 review'],
		['', EN, 2, '2 reviews'],
		['xx-unknown', EN, 2, '2 reviews'],
		['en', 'Always {count}', 1, 'Always 1'],
	])('%s %j of %d is %j', (language, label, count, expected) => {
		expect(fillLabel(label, { count }, language)).toBe(expected);
	});
});

describe('values', () => {
	test.each<[string, Parameters<typeof fillLabel>[1], string, string]>([
		['{rating}/5', { rating: 4.25 }, 'en', '4.25/5'],
		['{rating}/5', { rating: 4.5 }, 'de', '4,5/5'],
		['{rating}/5', { rating: 5 }, 'en', '5/5'],
		['{average}', { average: 4 }, 'en', '4.0'],
		['{rating} {rating}', { rating: 1 }, 'en', '1 1'],
		['{rating} {count} {Rating} {x} {}', { rating: 1 }, 'en', '1 {count} {Rating} {x} {}'],
		["$& $1 $$ $' {rating}", { rating: 1 }, 'en', "$& $1 $$ $' 1"],
		['', { rating: 1 }, 'en', ''],
	])('%j with %j in %s is %j', (label, values, language, expected) => {
		expect(fillLabel(label, values, language)).toBe(expected);
	});
});

describe('dates', () => {
	test.each([
		['en', 'November 20, 2026'],
		['en-GB', '20 November 2026'],
		['de', '20. November 2026'],
		['ja', '2026年11月20日'],
		['nonsense!', 'November 20, 2026'],
	])('%s', (language, expected) => {
		expect(formatDate('2026-11-20', language)).toBe(expected);
	});
});

test("the heading is the merchant's, or in the language of the page; the service's is for English pages", () => {
	const heading = (lang: string, labels = {}) =>
		/-heading" dir="auto">([^<]*)/.exec(
			renderProductReviews(record(), { display: 'visible', lang }, renderOptions({ labels })),
		)?.[1];
	expect(heading('en-GB')).toBe('Customer Reviews');
	expect(heading('sv')).toBe('Customer Reviews');
	expect(heading('de')).toBe('Kundenbewertungen');
	expect(heading('de', { heading: 'Stimmen' })).toBe('Stimmen');
});

test('labels are text: html in them is shown, not run', () => {
	const hostile = '<img src=x onerror=alert(1)>"';
	const { labels } = parseOptions({
		labels: {
			heading: hostile,
			rating: hostile,
			stars: hostile,
			count: hostile,
			summary: hostile,
			anonymous: hostile,
		},
	});
	const options = renderOptions({ labels });
	const product = record({ reviews: [displayed({ author: undefined })] });
	const pages = [
		...(['hidden', 'visible', 'details'] as const).map((display) =>
			renderProductReviews(product, { display }, options),
		),
		renderStarRating({ average: 4, count: 2 }, {}, options),
	];
	for (const page of pages) {
		const { elements } = findElements(page);
		expect(elements.length).toBeGreaterThan(2);
		expect(elements.filter(({ tag }) => tag === 'img')).toEqual([]);
	}
});

describe('star rating', () => {
	const render = (props: Record<string, unknown> = {}, average = 4.26, count = 1) =>
		renderStarRating({ average, count }, props, renderOptions());

	test('stars, value and count', () => {
		expect(render()).toMatchInlineSnapshot(
			`"<span class="star-rating"><span class="product-reviews-stars" role="img" aria-label="4.3 out of 5 stars" data-fill="4.3"></span> <span class="star-rating-value" aria-hidden="true">4.3</span> <span class="star-rating-count">1 review</span></span>"`,
		);
	});

	test('the language of the prop comes before that of the page', () => {
		expect(render({ lang: 'de' })).toContain('>4,3</span>');
		expect(render({ lang: null })).toContain('>4.3</span>');
	});

	test('attributes of the page', () => {
		expect(render({ class: 'mine', id: 's' })).toContain('<span class="star-rating mine" id="s">');
	});

	test.each([
		[1, '1.0'],
		[4.94, '4.9'],
		[4.96, '5.0'],
		[5, '5.0'],
	])('an average of %d fills %s stars', (average, fill) => {
		expect(render({}, average)).toContain(`data-fill="${fill}"`);
	});

	test('nothing is written for a product without ratings', () => {
		expect(renderStarRating(undefined, { class: 'mine' }, renderOptions())).toBe('');
	});
});
