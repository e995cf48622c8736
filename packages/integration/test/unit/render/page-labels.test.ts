import { expect, onTestFinished, test, vi } from 'vitest';
import { parseOptions } from '../../../src/options/parse-options.js';
import { labels } from '../../../src/render/labels/index.js';
import { fillLabel, formatDate, formatNumber, labelsFor } from '../../../src/render/page-labels.js';

const formsOf = (label: string | object): Record<string, string> =>
	typeof label === 'string' ? { other: label } : { ...(label as Record<string, string>) };
const placeholdersOf = (label: string | object) =>
	[...new Set(formsOf(label)['other']?.match(/\{\w+\}/g))].sort();

test.each(Object.entries(labels))('%s has all words in all plural forms', (language, set) => {
	expect(Object.keys(set).sort()).toEqual(Object.keys(labels.en).sort());
	const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
	for (const [name, english] of Object.entries(labels.en)) {
		const label = set[name as keyof typeof set];
		expect(typeof label, name).toBe(typeof english);
		if (typeof label !== 'string') {
			expect(Object.keys(label).sort(), name).toEqual([...pluralCategories].sort());
		}
		for (const form of Object.values(formsOf(label))) expect(form.trim(), name).not.toBe('');
		expect(placeholdersOf(label), name).toEqual(placeholdersOf(english));
	}
	expect(parseOptions({ labels: set }).labels).toEqual(set);
});

test.each([
	['de', 'Anonym'],
	['de-AT', 'Anonym'],
	['PT-br', 'Anônimo'],
	['pt_BR', 'Anônimo'],
	['de_AT.UTF-8', 'Anonym'],
	['fr_BE@euro', 'Anonyme'],
	['sv', 'Anonymous'],
	['', 'Anonymous'],
	['constructor', 'Anonymous'],
])('in %j, a page says %j, or what the merchant says', (language, expected) => {
	expect(labelsFor({}, language).anonymous).toBe(expected);
	const given = { anonymous: 'Jemand', verified: undefined };
	expect(labelsFor(given, language)).toEqual({ ...labelsFor({}, language), anonymous: 'Jemand' });
});

const EN = { one: '{count} review', other: '{count} reviews' };
const AR = {
	...{ zero: 'صفر {count}', one: 'واحد {count}', two: 'اثنان {count}' },
	...{ few: 'قليل {count}', many: 'كثير {count}', other: 'آخر {count}' },
};

test.each<[...Parameters<typeof fillLabel>, string]>([
	[EN, { count: 0 }, 'en', '0 reviews'],
	[EN, { count: 1 }, 'en', '1 review'],
	[EN, { count: 1.5 }, 'en', '1.5 reviews'],
	[EN, { count: 1_234 }, 'de', '1.234 reviews'],
	[EN, { count: 1_234 }, 'de_DE', '1.234 reviews'],
	[{ other: '{count}件' }, { count: 1 }, 'ja', '1件'],
	[AR, { count: 0 }, 'ar-u-nu-latn', 'صفر 0'],
	[AR, { count: 2 }, 'ar-u-nu-latn', 'اثنان 2'],
	[AR, { count: 5 }, 'ar-u-nu-latn', 'قليل 5'],
	[AR, { count: 11 }, 'ar-u-nu-latn', 'كثير 11'],
	[AR, { count: 100 }, 'ar-u-nu-latn', 'آخر 100'],
	[AR, { count: 3 }, 'ar-EG', 'قليل ٣'],
	[EN, { count: 5 }, 'ar', '5 reviews'],
	[EN, { count: 1 }, 'not a language', '1 review'],
	[EN, { count: 2 }, 'xx-unknown', '2 reviews'],
	['Always {count}', { count: 1 }, 'en', 'Always 1'],
	['{rating}/5', { rating: 4.25 }, 'en', '4.25/5'],
	['{rating}/5', { rating: 4.5 }, 'de', '4,5/5'],
	['{average}', { average: 4 }, 'en', '4.0'],
	['{rating} {rating}', { rating: 1 }, 'en', '1 1'],
	['{rating} {count} {Rating} {x} {}', { rating: 1 }, 'en', '1 {count} {Rating} {x} {}'],
	["$& $1 $$ $' {rating}", { rating: 1 }, 'en', "$& $1 $$ $' 1"],
	['', { rating: 1 }, 'en', ''],
])('%j with %j in %s is %j', (label, values, language, expected) => {
	expect(fillLabel(label, values, language)).toBe(expected);
});

test.each([
	['en', 'Nov 20, 2026'],
	['en-GB', '20 Nov 2026'],
	['de', '20.11.2026'],
	['ja', '2026/11/20'],
	['nonsense!', 'Nov 20, 2026'],
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
test.each<[string, (index: number) => string]>([
	['an unknown language in many regions', (index) => `zz-${100 + index}`],
	['text that is no language', (index) => `no language ${index}`],
	['a language with a private part', (index) => `de-x-a${index}`],
])('%s share their words and formatters', (_what, tag) => {
	const given = {};
	const words = labelsFor(given, tag(0));
	formatNumber(1, tag(0));
	const made = vi.spyOn(Intl, 'NumberFormat');
	onTestFinished(() => made.mockRestore());
	for (let index = 0; index < 600; index++) {
		formatNumber(1.5, tag(index));
		expect(labelsFor(given, tag(index))).toBe(words);
	}
	expect(made).not.toHaveBeenCalled();
});

test('languages that are known, in many variants, are not all kept', () => {
	const made = vi.spyOn(Intl, 'DateTimeFormat');
	onTestFinished(() => made.mockRestore());
	const variants = Array.from({ length: 100 }, (_, index) => `de-u-co-a${100 + index}`);
	for (const language of [...variants, ...variants]) formatDate('2026-11-20', language);
	expect(made.mock.calls.length).toBeGreaterThan(150);
});
