import fc from 'fast-check';
import { NOW } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { readAnswer, type SharedKind, seal, writeAnswer } from '../../../src/reviews/stored-answer.js';
import { displayed, record, stated } from '../../support/unit/record.js';
import { fullReview, mediaItem, question, reviewData } from '../../support/unit/review-data.js';

const KEY = '0123456789ab';
const VALUES = {
	reviews: record({
		reviews: [displayed(), displayed({ title: undefined, rating: 4.5 })],
		schema: { name: 'Kettle', url: undefined, reviews: [stated(), stated({ body: 'Another text.' })] },
	}),
	'review-data': reviewData({
		reviews: [fullReview({ key: KEY })],
		media: [mediaItem({ key: `${KEY}-2` })],
		questions: [question({ key: KEY })],
	}),
	rating: { aggregate: { average: 4.5, count: 2 }, questionCount: 3 },
} as const;

const KINDS = Object.keys(VALUES) as SharedKind[];

const TIMES = { fetchedAt: NOW, changedAt: NOW, lastChange: 'c-1' };
const keyOf = (kind: SharedKind) => ({ account: 'a-1', kind, pid: 'p-1' });
const write = (kind: SharedKind, value: unknown = VALUES[kind]) =>
	writeAnswer(keyOf(kind), { value: value as never, ...TIMES }) ?? '';
const read = (text: unknown, kind: SharedKind) => readAnswer(text, keyOf(kind), NOW + 1);

describe.each(KINDS)('%s', (kind) => {
	const text = write(kind);

	test('are read as they were written; those that were cut or damaged are not there', () => {
		expect(read(text, kind)).toEqual({ value: VALUES[kind], ...TIMES });
		for (let length = 0; length < text.length; length += 7) {
			expect(read(text.slice(0, length), kind)).toBeUndefined();
			expect(read(`${text.slice(0, length)}~${text.slice(length + 1)}`, kind)).toBeUndefined();
		}
	});

	test('of another product, kind, account or time are not there', () => {
		expect(readAnswer(text, { ...keyOf(kind), pid: 'p-2' }, NOW)).toBeUndefined();
		expect(readAnswer(text, { ...keyOf(kind), account: 'a-2' }, NOW)).toBeUndefined();
		for (const other of KINDS) if (other !== kind) expect(read(text, other)).toBeUndefined();
		expect(readAnswer(text, keyOf(kind), NOW - 5_001)).toBeUndefined();
	});

	test('with any part replaced by anything are read as checked values, or not at all', () => {
		const paths = pathsOf(VALUES[kind]);
		fc.assert(
			fc.property(fc.constantFrom(...paths), fc.anything({ withNullPrototype: false }), (path, put) => {
				const value = structuredClone(VALUES[kind]);
				replace(value, path, put);
				expectChecked(read(seal({ ...keyOf(kind), ...TIMES, value }), kind)?.value, VALUES[kind]);
			}),
			{ numRuns: 300 },
		);
	});
});

test('what is too long, from more than five seconds ahead, runs code or is not printable, is not there', () => {
	const reviews = Array.from({ length: 250 }, () => displayed({ body: 'x'.repeat(20_000) }));
	expect(write('reviews', record({ reviews }))).toBe('');
	const ahead = { ...keyOf('reviews'), ...TIMES, fetchedAt: NOW + 6_000, value: VALUES.reviews };
	expect(read(seal(ahead), 'reviews')).toBeUndefined();
	const readReview = (parts: Parameters<typeof displayed>[0]) =>
		read(write('reviews', record({ reviews: [displayed(parts)] })), 'reviews');
	for (const productUrl of ['javascript:alert(1)', 'https://a:b@shop.example/', 'data:text/html,x'])
		expect(readReview({ productUrl })).toBeUndefined();
	expect(readReview({ body: 'a\u0000b' })?.value).toMatchObject({ reviews: [{ body: 'ab' }] });
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
