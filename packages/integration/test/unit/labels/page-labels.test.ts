import { describe, expect, test, vi } from 'vitest';
import { fillLabel, formatDate, formatNumber, labelsFor } from '../../../src/labels/page-labels.js';
import { type Props, write } from '../../support/unit/write.js';

const EN = { one: '{count} review', other: '{count} reviews' };
const AR = {
	...{ zero: 'صفر {count}', one: 'واحد {count}', two: 'اثنان {count}' },
	...{ few: 'قليل {count}', many: 'كثير {count}', other: 'آخر {count}' },
};

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
])('in %s, %j of %d is %j', (language, label, count, expected) => {
	expect(fillLabel(label, { count }, language)).toBe(expected);
});

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

test.each([
	['en', 'November 20, 2026'],
	['en-GB', '20 November 2026'],
	['de', '20. November 2026'],
	['ja', '2026年11月20日'],
	['nonsense!', 'November 20, 2026'],
])('a date in %s is %j', (language, expected) => {
	expect(formatDate('2026-11-20', language)).toBe(expected);
});

test.each([
	['de-x-shop', '1.234,5'],
	['pt-BR-x-shop', '1.234,5'],
	['q', '1,234.5'],
	['en', '1,234.5'],
	['ar-u-nu-latn', '1,234.5'],
])('numbers of %s are written as %s', (language, written) => {
	expect(formatNumber(1_234.5, language)).toBe(written);
});

// A page's language may come from its address, so anyone can ask for as many as they like.
describe('languages that anyone can make up', () => {
	const letters = (index: number) =>
		String.fromCharCode(97 + (index % 26), 97 + (Math.floor(index / 26) % 26));

	test.each<[string, (index: number) => string]>([
		['unknown languages', (index) => `q${letters(index)}`],
		['text that is no language', (index) => `no language ${index}`],
		['a language with a private part', (index) => `de-x-a${index}`],
		['an unknown language with a region', (index) => `q${letters(index)}-DE`],
	])('%s share their formatters', (_what, tag) => {
		formatNumber(1, 'en');
		const made = vi.spyOn(Intl, 'NumberFormat');
		try {
			for (let index = 0; index < 600; index++) formatNumber(1.5, tag(index));
			// Three kinds for one language at most: numbers, averages, percents.
			expect(made.mock.calls.length).toBeLessThanOrEqual(3);
		} finally {
			made.mockRestore();
		}
	});

	test('and are known, in many variants, are not all kept', () => {
		const made = vi.spyOn(Intl, 'DateTimeFormat');
		try {
			const variants = Array.from({ length: 100 }, (_, index) => `de-u-co-a${100 + index}`);
			for (const language of [...variants, ...variants]) formatDate('2026-11-20', language);
			expect(made.mock.calls.length).toBeGreaterThan(150);
		} finally {
			made.mockRestore();
		}
	});

	test('share their words', () => {
		const given = {};
		for (const [known, tag] of [
			['de', 'de-x-a'],
			['en', 'q'],
		] as const) {
			const words = labelsFor(given, known);
			for (let index = 0; index < 1_000; index++) expect(labelsFor(given, tag + index)).toBe(words);
		}
	});
});

test('<StarRating> is stars, value and count, in the language of the prop, or else of the page', () => {
	const render = (props: Props = {}, average = 4.26) =>
		write('StarRating', { aggregate: { average, count: 1 } }, props);
	expect(render()).toMatchInlineSnapshot(
		`"<span class="pr-star-rating"><span class="pr-stars" role="img" aria-label="4.3 out of 5 stars" data-fill="4.3"></span> <span class="pr-value" aria-hidden="true">4.3</span> <span class="pr-count">1 review</span></span>"`,
	);
	expect(render({ lang: 'de' })).toContain('>4,3</span>');
	expect(render({ lang: null })).toContain('>4.3</span>');
	expect(render({ class: 'mine', id: 's' })).toContain('<span class="pr-star-rating mine" id="s">');
	const fills = [1, 4.94, 4.96, 5].map((average) => /data-fill="([^"]*)"/.exec(render({}, average))?.[1]);
	expect(fills).toEqual(['1.0', '4.9', '5.0', '5.0']);
	for (const rating of [undefined, { aggregate: undefined }]) {
		expect(write('StarRating', rating, { class: 'mine' })).toBe('');
	}
});
