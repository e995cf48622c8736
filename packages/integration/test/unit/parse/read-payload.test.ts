import { describe, expect, test } from 'vitest';
import { createDropCounter, type DroppedParts } from '../../../src/parse/dropped-parts.js';
import { readPayload } from '../../../src/parse/read-payload.js';
import {
	answer,
	REVIEW,
	reviewBlock,
	reviewItem,
	SCHEMA,
	schemaScript,
} from '../../support/service/payload.js';
import { messageOf } from '../../support/unit/error.js';

/** The documented block, its one review with these parts. */
const item = (parts: Partial<typeof REVIEW>) => reviewBlock(reviewItem({ ...REVIEW, ...parts }));

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
	])('%d ratings of %d on average', (count, average, expected) => {
		expect(readPayload(answer({ aggregate: { count, average } })).aggregate).toEqual(expected);
	});

	test.each([-1, 2.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])(
		'a count of %d is an error',
		async (count) => {
			expect(await messageOf(() => readPayload(answer({ aggregate: { count, average: 4 } })))).toBe(
				`ReviewPayloadError: The number of ratings is ${count}, which is not a valid count.\nCheck what the service sends as "dataCount" for this product.`,
			);
		},
	);
});

describe('an answer that contradicts itself', () => {
	test('ratings are counted, and the html holds something other than reviews', async () => {
		expect(await messageOf(() => readPayload(answer({ html: '<p>Sorry</p>' })))).toMatchInlineSnapshot(`
			"ReviewPayloadError: The html of the reviews contains neither a block nor a review as the service documents them.
			Check what the service sends as "html" for this product."
		`);
	});

	test('no rating is counted, and reviews have one', async () => {
		const aggregate = { count: 0, average: 4.5 };
		expect(await messageOf(() => readPayload(answer({ aggregate })))).toMatchInlineSnapshot(`
			"ReviewPayloadError: The answer counts no ratings, but contains 1 rated review.
			Check what the service sends as "dataCount" for this product."
		`);
	});

	test.each([
		['neither half has a review', reviewBlock(), schemaScript({ ...SCHEMA, review: [] })],
		['no review says anything', reviewBlock(reviewItem({ author: 'Ada' })), ''],
		['both halves are broken', reviewBlock(), schemaScript('{"@type":')],
	])('ratings are counted, and %s', async (_what, html, jsonld) => {
		expect(await messageOf(() => readPayload(answer({ html, jsonld })))).toBe(
			'ReviewPayloadError: The answer counts 2 ratings, but contains no readable review.\nCheck what the service sends as "html" and "jsonld" for this product.',
		);
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

describe("a stranger's text that broke one half", () => {
	test('structured data stands on the reviews of the html', () => {
		const jsonld = schemaScript({ ...SCHEMA, name: 'a</script><script>alert(1)' });
		expect(readPayload(answer({ jsonld })).schema).toEqual({
			name: 'Kettle',
			url: 'https://shop.example/products/p-1',
			reviews: [{ author: 'Ada', rating: 5, publisher: undefined, body: 'Boils fast.', date: '2026-11-20' }],
		});
	});

	test('reviews are shown as the structured data has them', () => {
		const html = reviewBlock(reviewItem({ ...REVIEW, product: '<!--' }));
		expect(readPayload(answer({ html })).reviews).toEqual([
			{
				productName: 'Kettle',
				productUrl: 'https://shop.example/products/p-1',
				author: 'Ada',
				rating: 5,
				title: undefined,
				body: 'Boils fast.',
				date: '2026-11-20',
			},
		]);
	});
});

test('reviews that a text swallowed are shown as the structured data has them', () => {
	const [review] = SCHEMA.review;
	const jsonld = schemaScript({ ...SCHEMA, review: [review, { ...review, reviewBody: 'Second.' }] });
	const html = reviewBlock(reviewItem({ ...REVIEW, body: 'nice <!-- x' }), reviewItem(REVIEW));
	expect(readPayload(answer({ html, jsonld })).reviews.map(({ body }) => body)).toEqual([
		'Boils fast.',
		'Second.',
	]);
});

describe('what is lost is counted with a reason', () => {
	const LONG = 'x'.repeat(20_001);
	test.each<[string, Parameters<typeof answer>[0], DroppedParts]>([
		['nothing', {}, {}],
		['a rating outside the scale', { html: item({ rating: 'Rating: 9/5' }) }, { 'rating-unusable': 1 }],
		['no address of the web', { html: item({ href: 'javascript:alert(1)' }) }, { 'address-refused': 1 }],
		['a day that does not exist', { html: item({ date: '2026-02-31' }) }, { 'date-unreadable': 1 }],
		['a text that is too long', { html: item({ body: LONG }) }, { 'text-cut': 1 }],
		['a text with nothing to see', { html: item({ title: '\u0007\u200b' }) }, { 'text-unreadable': 1 }],
		[
			'a review that says nothing',
			{ html: reviewBlock(reviewItem(REVIEW), reviewItem({ author: 'Bo' })) },
			{ 'review-empty': 1, 'review-lists-differ': 1 },
		],
		[
			'reviews beyond the limit',
			{ html: reviewBlock(...Array(2_002).fill(reviewItem(REVIEW))) },
			{ 'review-beyond-limit': 2, 'review-lists-differ': 1 },
		],
		['another count', { aggregate: { count: 3, average: 4 } }, { 'rating-differs': 1 }],
		['an average outside the scale', { aggregate: { count: 2, average: 9 } }, { 'rating-unusable': 1 }],
		['a script that a text ended', { jsonld: schemaScript('{') }, { 'structured-data-unreadable': 1 }],
		['html without a readable review', { html: reviewBlock() }, { 'html-unreadable': 1 }],
	])('%s', (_what, parts, expected) => {
		const { drop, dropped } = createDropCounter();
		readPayload(answer(parts), drop);
		expect(dropped).toEqual(expected);
	});
});

test('a record is what JSON can hold, and holds no markup', () => {
	const record = readPayload(answer());
	expect(JSON.parse(JSON.stringify(record))).toEqual(record);
	expect(JSON.stringify(record)).not.toMatch(/<|review-item|ld\+json/);
});
