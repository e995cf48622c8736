import fc from 'fast-check';
import { memoryInUse } from 'product-reviews-test-support/memory';
import { expect, test } from 'vitest';
import { createTextSet } from '../../../src/collections/create-text-set.js';

const TEXTS = fc.array(
	fc.oneof(
		fc.string({ unit: 'binary' }),
		// Lone surrogates, NUL, and what differs only in how many bytes a letter takes.
		fc.constantFrom('', '\0', '\0\0', '\ud800', '\udc00\ud800', 'é', 'e\u0301', 'ÿ', 'Ā', 'a\0', 'a'),
		fc.nat({ max: 40 }).map((number) => `p-${number}`),
	),
	{ maxLength: 400 },
);

test('it has what a Set has, in the same order, whatever the texts', () => {
	fc.assert(
		fc.property(TEXTS, TEXTS, (texts, others) => {
			const found = createTextSet();
			const expected = new Set<string>();
			for (const text of texts) {
				expect(found.has(text)).toBe(expected.has(text));
				expected.add(text);
				expect(found.at(found.add(text))).toBe(text);
			}
			const all = [...expected];
			expect(found.size).toBe(expected.size);
			expect([...found.values()]).toEqual(all);
			for (const text of [...texts, ...others]) {
				expect(found.has(text)).toBe(expected.has(text));
				expect(found.indexOf(text)).toBe(all.indexOf(text));
			}
			// To look for a text adds nothing.
			expect(found.size).toBe(expected.size);
		}),
	);
});

test('a text of any length finds room', () => {
	const texts = createTextSet();
	const long = ['x'.repeat(100_000), 'ж'.repeat(100_000), `${'x'.repeat(99_999)}y`];
	expect(long.map((text) => texts.add(text))).toEqual([0, 1, 2]);
	expect([...texts.values()]).toEqual(long);
});

test('whoever goes through it meets what is added meanwhile', () => {
	const texts = createTextSet();
	texts.add('a');
	const met: string[] = [];
	for (const text of texts.values()) {
		met.push(text);
		if (met.length < 5_000) texts.add(`${text}${met.length % 10}`.slice(-9));
	}
	expect(met).toHaveLength(texts.size);
	expect(new Set(met).size).toBe(met.length);
});

test('a number that no text has is an error', () => {
	const texts = createTextSet();
	texts.add('a');
	for (const index of [-1, 1, Number.NaN]) {
		expect(() => texts.at(index)).toThrow(new RangeError(`There is no text number ${index}.`));
	}
});

test('a million ids take some thirty bytes each, none of it in the heap', async () => {
	const before = await memoryInUse();
	const ids = createTextSet();
	for (let number = 0; number < 1_000_000; number++) ids.add(`p-${number}`);
	const { heap, buffers } = await memoryInUse();
	expect(heap - before.heap).toBeLessThan(2_000_000);
	// Room grows by doubling: up to twice 9 bytes of the text, 8 of its end and 8 of its place.
	expect(buffers - before.buffers).toBeLessThan(50_000_000);
	expect(ids.size).toBe(1_000_000);
	for (const number of [0, 1, 999_999]) expect(ids.indexOf(`p-${number}`)).toBe(number);
	expect(ids.has('p-1000000')).toBe(false);
});
