import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../src/payload/read-payload.js';
import { messageOf } from '../../support/unit-error.js';
import { answer, reviewBlock } from '../../support/unit-payload.js';

test('the documented answer', () => {
	expect(readPayload(answer())).toMatchObject({
		pid: 'p-1',
		aggregate: { count: 2, average: 4.5 },
		heading: 'Customer Reviews',
		blockId: 'b-17',
		handle: 'reviews-block',
		reviews: [{ author: 'Ada', rating: 5 }],
		schema: { name: 'Kettle', reviews: [{ author: 'Ada' }] },
	});
});

test.each(['', reviewBlock()])('a product without a published review: html %j', (html) => {
	const record = readPayload(answer({ aggregate: { count: 0, average: 0 }, html, jsonld: '' }));
	expect(record).toMatchObject({ pid: 'p-1', aggregate: undefined, reviews: [], schema: undefined });
});

test('a product id is kept as it is', () => {
	const pid = ' <b>"x"\u0000\u202e ';
	expect(readPayload(answer({ pid })).pid).toBe(pid);
});

describe('count and average', () => {
	test.each<[number, number, unknown]>([
		[1, 5, { count: 1, average: 5 }],
		[3, 4.6666666, { count: 3, average: 4.67 }],
		[3, 1, { count: 3, average: 1 }],
		[3, 0, undefined],
		[3, 5.01, undefined],
		[3, -1, undefined],
		[3, Number.NaN, undefined],
		[0, 4.5, undefined],
	])('%d ratings of %d on average', (count, average, expected) => {
		expect(readPayload(answer({ aggregate: { count, average } })).aggregate).toEqual(expected);
	});

	test.each([-1, 2.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])(
		'a count of %d is an error',
		async (count) => {
			expect(await messageOf(() => readPayload(answer({ aggregate: { count, average: 4 } })))).toBe(
				`ReviewPayloadError: The count of ratings is ${count}, which is no count.\nLook at what the service sends as "dataCount" for this product.`,
			);
		},
	);
});

describe('an answer that contradicts itself', () => {
	test('ratings are counted, and the html holds something else than reviews', async () => {
		expect(await messageOf(() => readPayload(answer({ html: '<p>Sorry</p>' })))).toMatchInlineSnapshot(`
			"ReviewPayloadError: The answer counts 2 ratings, but no review can be read in its html.
			Look at what the service sends as "html" for this product."
		`);
	});

	test('ratings without a text have no review in the html, and no structured data', () => {
		const record = readPayload(answer({ html: reviewBlock(), jsonld: '' }));
		expect(record).toMatchObject({ aggregate: { count: 2 }, reviews: [], schema: undefined });
	});

	test('reviews without structured data are shown all the same', () => {
		expect(readPayload(answer({ jsonld: '' }))).toMatchObject({
			reviews: [{ author: 'Ada' }],
			schema: undefined,
		});
	});
});

test('a record is what JSON can hold, and holds no markup', () => {
	const record = readPayload(answer());
	expect(JSON.parse(JSON.stringify(record))).toEqual(record);
	expect(JSON.stringify(record)).not.toMatch(/<|review-item|ld\+json/);
});
