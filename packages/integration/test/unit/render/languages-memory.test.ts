import { collectGarbage } from 'product-reviews-test-support/memory';
import { expect, test } from 'vitest';
import { labelsFor } from '../../../src/labels/labels-for.js';
import { fillLabel, formatDate, formatNumber } from '../../../src/render/fill-label.js';

const MEGABYTE = 1_048_576;

/** What is still held after a task, in MB. */
function heldBy(task: () => void): number {
	task();
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	for (let round = 0; round < 2; round++) task();
	collectGarbage();
	return (process.memoryUsage().heapUsed - before) / MEGABYTE;
}

/** How many formatters are made, those of numbers standing for all. */
function made(task: () => void): number {
	const { NumberFormat } = Intl;
	let count = 0;
	const counting = new Proxy(NumberFormat, {
		construct(target, parameters) {
			count += 1;
			return Reflect.construct(target, parameters);
		},
	});
	Intl.NumberFormat = counting as typeof NumberFormat;
	try {
		task();
	} finally {
		Intl.NumberFormat = NumberFormat;
	}
	return count;
}

const TAGS: [string, (index: number) => string][] = [
	['unknown languages', (index) => `q${letters(index)}`],
	['text that is no language', (index) => `no language ${index}`],
	['a language with a private part', (index) => `de-x-a${index}`],
	['an unknown language with a region', (index) => `q${letters(index)}-DE`],
];

function letters(index: number): string {
	return [index % 26, Math.floor(index / 26) % 26].map((n) => String.fromCharCode(97 + n)).join('');
}

test.each(TAGS)('%s share their formatters', (_name, tag) => {
	formatNumber(1, 'en');
	const count = made(() => {
		for (let index = 0; index < 600; index++) formatNumber(1.5, tag(index));
	});
	// Three kinds for one language at most: numbers, averages, percents.
	expect(count).toBeLessThanOrEqual(3);
});

test('many languages that are known, in many variants, take no more memory than some', () => {
	const known = ['de', 'fr', 'ar', 'ja', 'pt', 'es'];
	const regions = Array.from({ length: 100 }, (_, index) => `u-nu-latn-co-a${letters(index)}`);
	const held = heldBy(() => {
		for (const language of known) {
			for (const region of regions) formatDate('2026-11-20', `${language}-${region}`);
		}
	});
	expect(held).toBeLessThan(5);
});

test('a label that names the product of each page is not kept for ever', () => {
	const held = heldBy(() => {
		for (let index = 0; index < 50_000; index++) {
			fillLabel(`{rating} of 5 for the product ${index}, ${'a long name '.repeat(10)}`, { rating: 4 }, 'en');
		}
	});
	expect(held).toBeLessThan(5);
});

test('ratings with many digits are not kept for ever', () => {
	const held = heldBy(() => {
		for (let index = 0; index < 100_000; index++) fillLabel('{rating}', { rating: 1 + index / 1e6 }, 'en');
	});
	expect(held).toBeLessThan(5);
});

test('a language is the same words whatever follows its first part', () => {
	const given = {};
	const german = labelsFor(given, 'de');
	for (let index = 0; index < 1_000; index++) expect(labelsFor(given, `de-x-a${index}`)).toBe(german);
	const english = labelsFor(given, 'en');
	for (let index = 0; index < 1_000; index++) expect(labelsFor(given, `q${index}`)).toBe(english);
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
