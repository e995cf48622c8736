import fc from 'fast-check';
import { NOW } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { PARTS, type Part } from '../../../src/records/parts.js';
import { readAnswer, seal, writeAnswer } from '../../../src/reviews/shared-storage.js';
import { displayed, record, stated } from '../../support/unit/record.js';
import { fullReview, mediaItem, question, reviewData } from '../../support/unit/review-data.js';

const KEY = '0123456789ab';
const RECORDS = {
	reviews: record({
		reviews: [displayed(), displayed({ title: undefined, rating: 4.5 })],
		schema: { name: 'Kettle', url: undefined, reviews: [stated(), stated({ body: 'Another text.' })] },
	}),
	'review-data': reviewData({
		reviews: [fullReview({ key: KEY })],
		media: [mediaItem({ key: `${KEY}-2` })],
		questions: [question({ key: KEY })],
	}),
	rating: { average: 4.5, count: 2, questionCount: 3 },
} as const;

const TIMES = { fetchedAt: NOW, changedAt: NOW, seen: 'c-1 c-2' };
const keyOf = (part: Part) => ({ account: 'a-1', part, pid: 'p-1' });
const write = (part: Part, given: unknown = RECORDS[part]) =>
	writeAnswer(keyOf(part), { record: given as never, ...TIMES }) ?? '';
const read = (text: unknown, part: Part) => readAnswer(text, keyOf(part), NOW + 1);

describe.each(PARTS)('%s', (part) => {
	const text = write(part);

	test('are read as they were written; those that were cut or damaged are not there', () => {
		expect(read(text, part)).toEqual({ record: RECORDS[part], ...TIMES });
		for (let length = 0; length < text.length; length += 7) {
			expect(read(text.slice(0, length), part)).toBeUndefined();
			expect(read(`${text.slice(0, length)}~${text.slice(length + 1)}`, part)).toBeUndefined();
		}
	});

	test('of another product, part, account or time are not there', () => {
		expect(readAnswer(text, { ...keyOf(part), pid: 'p-2' }, NOW)).toBeUndefined();
		expect(readAnswer(text, { ...keyOf(part), account: 'a-2' }, NOW)).toBeUndefined();
		for (const other of PARTS) if (other !== part) expect(read(text, other)).toBeUndefined();
		expect(readAnswer(text, keyOf(part), NOW - 5_001)).toBeUndefined();
	});

	test('with any part replaced by anything are read as checked values, or not at all', () => {
		const paths = pathsOf(RECORDS[part]);
		fc.assert(
			fc.property(fc.constantFrom(...paths), fc.anything({ withNullPrototype: false }), (path, put) => {
				const given = structuredClone(RECORDS[part]);
				replace(given, path, put);
				expectChecked(read(seal({ ...keyOf(part), ...TIMES, record: given }), part)?.record, RECORDS[part]);
			}),
			{ numRuns: 300 },
		);
	});
});

test('what is too long, from more than five seconds ahead, runs code or is not printable, is not there', () => {
	const reviews = Array.from({ length: 250 }, () => displayed({ body: 'x'.repeat(20_000) }));
	expect(write('reviews', record({ reviews }))).toBe('');
	const ahead = { ...keyOf('reviews'), ...TIMES, fetchedAt: NOW + 6_000, record: RECORDS.reviews };
	expect(read(seal(ahead), 'reviews')).toBeUndefined();
	const readReview = (parts: Parameters<typeof displayed>[0]) =>
		read(write('reviews', record({ reviews: [displayed(parts)] })), 'reviews');
	for (const productUrl of ['javascript:alert(1)', 'https://a:b@shop.example/', 'data:text/html,x'])
		expect(readReview({ productUrl })).toBeUndefined();
	expect(readReview({ body: 'a\u0000b' })?.record).toMatchObject({ reviews: [{ body: 'ab' }] });
	expect(readReview({ body: 'ab\u202e' })).toBeUndefined();
});

function pathsOf(value: unknown): string[][] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, part]) =>
		[[], ...pathsOf(part)].map((path) => [name, ...path]),
	);
}

function replace(value: unknown, [name = '', ...rest]: readonly string[], put: unknown): void {
	const fields = value as Record<string, unknown>;
	if (rest.length === 0) fields[name] = put;
	else replace(fields[name], rest, put);
}

/** Every part has the type of the same part of the pattern, or is missing. */
function expectChecked(value: unknown, pattern: unknown): void {
	if (value === undefined || value === null) return;
	if (pattern === undefined || pattern === null) return;
	expect([typeof value, Array.isArray(value)]).toEqual([typeof pattern, Array.isArray(pattern)]);
	if (typeof pattern !== 'object') return;
	for (const [name, part] of Object.entries(value)) {
		if (Array.isArray(pattern)) expectChecked(part, pattern[0]);
		else if (name in pattern) expectChecked(part, (pattern as Record<string, unknown>)[name]);
	}
}
