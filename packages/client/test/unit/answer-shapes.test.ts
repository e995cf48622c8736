import fc from 'fast-check';
import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, test } from 'vitest';
import { createShapeCounter, shapeLimits } from '../../src/contract/index.js';
import { ReviewsResponseError } from '../../src/index.js';
import { crawlerPayload, mediaItemOf, questionOf, reviewOf, starRatingItemOf } from '../support/payloads.js';
import { useSetup } from '../support/setup.js';

const setup = useSetup();
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
const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":0`).join();

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
		[`[${Array.from({ length: 21 }, (_, index) => `{"k${index}":0}`).join()}]`, NAMES],
		[`[${'{"a":0},'.repeat(30)}0]`, undefined],
		// What stands in a text is no value, whatever is escaped in it.
		[JSON.stringify({ a: '[,{:'.repeat(500) }), undefined],
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
	const parts = fc.constantFrom(
		'[',
		']',
		'{',
		'}',
		',',
		'"a":',
		'"a":',
		'"a\\":',
		'"é":',
		'"a',
		'\\',
		'\\"',
		'"',
		' ',
	);
	const texts = fc.array(parts, { maxLength: 60 }).map((chosen) => `{${chosen.join('')}`);
	const limits = fc.record({ values: fc.nat(20), depth: fc.nat(6), names: fc.nat(4) });
	fc.assert(
		fc.property(texts, fc.integer({ min: 1, max: 20 }), limits, (text, length, given) => {
			const isExceeded = excessOf(text, length, given) !== undefined;
			expect(isExceeded).toBe(excessOf(text, 1_000, given) !== undefined);
		}),
	);
});

test.each([1_000, 8_000_000])('colons after a long string are read once, in pieces of %d bytes', (length) => {
	const text = `{"${'a'.repeat(4_000_000)}"${':'.repeat(4_000_000)}`;
	expect(excessOf(text, length)).toBeUndefined();
});

test('answers as the service documents them are far from the limits, however long', () => {
	const item = {
		...reviewOf('p-1'),
		aitopics: [{ key: 'heat', sentiment: 'positive' }],
		arrimg: ['https://shop.example/a.jpg'],
	};
	for (const one of [item, mediaItemOf('p-1'), questionOf('p-1'), starRatingItemOf('p-1')]) {
		const text = JSON.stringify({ success: true, data: Array.from({ length: 2_000 }, () => one) });
		expect(excessOf(text, 65_536, shapeLimits(text.length))).toBeUndefined();
	}
});

const TOO_COMPLEX: [string, string][] = [
	['8 MB of empty objects', `{"data":[${'{},'.repeat(2_700_000)}{}]}`],
	['8 MB of zeros', `{"data":[${'0,'.repeat(4_100_000)}0]}`],
	['8 MB of nested lists', `{"data":${'['.repeat(4_100_000)}${']'.repeat(4_100_000)}}`],
	['half a million names', `{${names(500_000)}}`],
];

test.each(TOO_COMPLEX)('%s are refused before they are parsed', async (_name, body) => {
	const client = setup.client({ fetch: async () => new Response(body), retries: 0 });
	for (const ask of [
		() => client.getProductReviewData('p-1'),
		() => client.getCrawlerReviews('p-1'),
		() => client.getStarRatings(['p-1']),
	]) {
		const error = (await errorOf(ask())) as ReviewsResponseError;
		expect(error).toBeInstanceOf(ReviewsResponseError);
		expect(error).toMatchObject({ reason: 'too-complex', attempts: 1 });
		expect(error.message).toContain('no documented answer looks like this.');
	}
});

test.each([
	['getStarRatings', { data: Array.from({ length: 100_000 }, () => ({})) }],
	['getProductReviewData', { data: Array.from({ length: 100_000 }, () => 0) }],
] as const)('%s names three things that are wrong, and looks no further', async (operation, body) => {
	const client = setup.client({ fetch: async () => Response.json(body), retries: 0 });
	const error = (await errorOf(
		operation === 'getStarRatings' ? client.getStarRatings(['p-1']) : client.getProductReviewData('p-1'),
	)) as ReviewsResponseError;
	expect(error.reason).toBe('schema');
	expect(error.message.match(/Invalid input/g)).toHaveLength(3);
});

test('of a product with more than 10,000 reviews the first are read, and the others counted', async () => {
	const data = Array.from({ length: 10_050 }, (_, index) => ({ _id: `r-${index}`, pid: 'p-1', rtng: 5 }));
	const client = setup.client({ fetch: async () => Response.json({ data, dataCount: { prtng: 10_050 } }) });
	const { reviews, unreadableReviews, summary } = await client.getProductReviewData('p-1');
	expect(reviews).toHaveLength(10_000);
	expect(unreadableReviews).toBe(50);
	expect(summary.count).toBe(10_050);
});

test('an answer that takes long to read lets others run in between', async () => {
	const data = Array.from({ length: 10_000 }, (_, index) => ({
		...reviewOf('p-1'),
		_id: `r-${index}`,
		rtxt: 'x',
	}));
	const body = JSON.stringify({ data: data.map(({ _id, pid, rtng }) => ({ _id, pid, rtng })) });
	const client = setup.client({ fetch: async () => new Response(body) });
	let turns = 0;
	const timer = setInterval(() => {
		turns += 1;
	}, 0);
	await client.getProductReviewData('p-1');
	clearInterval(timer);
	expect(turns).toBeGreaterThan(3);
});

test('a small answer is read as before', async () => {
	const client = setup.client({ fetch: async () => Response.json(crawlerPayload('p-1')) });
	expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
});
