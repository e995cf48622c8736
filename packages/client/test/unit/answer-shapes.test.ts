import fc from 'fast-check';
import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, test } from 'vitest';
import { createShapeCounter, shapeLimits } from '../../src/contract/index.js';
import { ReviewsResponseError } from '../../src/index.js';
import { mediaItemOf, questionOf, reviewOf, starRatingItemOf } from '../support/payloads.js';
import { startStub } from '../support/stub.js';

const LIMITS = { values: 100, depth: 10, names: 20 };

/** What there is too much of in a text that comes in pieces of so many bytes. */
function excessOf(text: string, length = 1_000, limits = LIMITS): string | undefined {
	const count = createShapeCounter(limits);
	const bytes = new TextEncoder().encode(text);
	for (let start = 0; start < bytes.length; start += length) {
		const excess = count(bytes.subarray(start, start + length));
		if (excess) return excess;
	}
	return undefined;
}

const VALUES = 'more than 100 values';
const DEPTH = 'lists and objects in more than 10 levels';
const NAMES = 'more than 20 different names of fields';
const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":0`);

describe.each([1, 7, 1_000])('in pieces of %d bytes', (length) => {
	test.each([
		['{"a":[1,2,{"b":null}]}', undefined],
		[`[${'0,'.repeat(99)}0]`, undefined],
		[`[${'0,'.repeat(100)}0]`, VALUES],
		[`[${'{},'.repeat(50)}{}]`, VALUES],
		[`${'['.repeat(10)}${']'.repeat(10)}`, undefined],
		[`${'['.repeat(11)}${']'.repeat(11)}`, DEPTH],
		[`${'{"a":'.repeat(11)}0${'}'.repeat(11)}`, DEPTH],
		[`{${names(20)}}`, undefined],
		[`{${names(21)}}`, NAMES],
		[`[${names(21).map((name) => `{${name}}`)}]`, NAMES],
		[`[${'{"a":0},'.repeat(30)}0]`, undefined],
		// What stands in a text is no value, whatever is escaped in it.
		[JSON.stringify({ a: '"[,{:\\'.repeat(500) }), undefined],
		[`${JSON.stringify({ a: '\\' }).slice(0, -1)},"b":${'['.repeat(12)}`, DEPTH],
		[JSON.stringify({ a: 'ж👟'.repeat(500), b: '🌍,' }), undefined],
		[`\n\t ${'['.repeat(11)}`, DEPTH],
		// The pages of proxies hold brackets and commas as they like.
		[`<html>${'[{,:'.repeat(500)}`, undefined],
		[`"text",${'['.repeat(500)}`, undefined],
	])('%.60s', (text, excess) => {
		expect(excessOf(text, length)).toBe(excess);
	});
});

test('how the bytes are cut does not matter', () => {
	const parts = [...'[]{},\\" ', '"a":', '"a":', '"a\\":', '"é":', '"a', '\\"'];
	const texts = fc.array(fc.constantFrom(...parts), { maxLength: 60 }).map((chosen) => `{${chosen.join('')}`);
	const limits = fc.record({ values: fc.nat(20), depth: fc.nat(6), names: fc.nat(4) });
	fc.assert(
		fc.property(texts, fc.integer({ min: 1, max: 20 }), limits, (text, length, given) => {
			const isExceeded = excessOf(text, length, given) !== undefined;
			expect(isExceeded).toBe(excessOf(text, 1_000, given) !== undefined);
		}),
	);
});

test.each([1_000, 8_000_000])('colons after a long string are read once, in pieces of %d bytes', (length) => {
	expect(excessOf(`{"${'a'.repeat(1_000_000)}"${':'.repeat(1_000_000)}`, length)).toBeUndefined();
});

test('answers as the service documents them are far from the limits, however long', () => {
	for (const one of [reviewOf('p-1'), mediaItemOf('p-1'), questionOf('p-1'), starRatingItemOf('p-1')]) {
		const text = JSON.stringify({ success: true, data: Array.from({ length: 2_000 }, () => one) });
		expect(excessOf(text, 65_536, shapeLimits(text.length))).toBeUndefined();
	}
});

/** A client whose service sends this body. */
function clientOf(body: string, options = {}) {
	const { client, answer } = startStub(options);
	answer(() => new Response(body));
	return client;
}

test.each([
	['1 MB of empty objects', `{"data":[${'{},'.repeat(340_000)}{}]}`],
	['1 MB of zeros', `{"data":[${'0,'.repeat(510_000)}0]}`],
	['1 MB of nested lists', `{"data":${'['.repeat(510_000)}${']'.repeat(510_000)}}`],
	['60,000 names', `{${names(60_000)}}`],
])('%s are refused before they are parsed', async (_name, body) => {
	const client = clientOf(body, { maxResponseBytes: 1024 * 1024 });
	const asked = [
		client.getProductReviewData('p-1'),
		client.getCrawlerReviews('p-1'),
		client.getStarRatings(['p-1']),
	];
	for (const error of await Promise.all(asked.map(errorOf))) {
		expect(error).toBeInstanceOf(ReviewsResponseError);
		expect(error).toMatchObject({ reason: 'too-complex', attempts: 1 });
		expect(error.message).toContain('no documented answer looks like this.');
	}
});

test('three things that are wrong are named, and it is looked no further', async () => {
	const ratings = clientOf(JSON.stringify({ data: Array(100_000).fill({}) })).getStarRatings(['p-1']);
	const reviews = clientOf(JSON.stringify({ data: Array(100_000).fill(0) })).getProductReviewData('p-1');
	for (const error of await Promise.all([ratings, reviews].map(errorOf))) {
		expect(error).toMatchObject({ reason: 'schema' });
		expect(error.message.match(/Invalid input/g)).toHaveLength(3);
	}
});

test('of more than 10,000 reviews the first are read and the others counted, and others run in between', async () => {
	const data = Array.from({ length: 10_050 }, (_, index) => ({ _id: `r-${index}`, pid: 'p-1', rtng: 5 }));
	const client = clientOf(JSON.stringify({ data, dataCount: { prtng: 10_050 } }));
	let turns = 0;
	const timer = setInterval(() => {
		turns += 1;
	}, 0);
	const { reviews, unreadableReviews, summary } = await client.getProductReviewData('p-1');
	clearInterval(timer);
	expect(reviews).toHaveLength(10_000);
	expect(unreadableReviews).toBe(50);
	expect(summary.count).toBe(10_050);
	expect(turns).toBeGreaterThan(3);
});
