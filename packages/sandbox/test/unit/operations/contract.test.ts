import {
	countSummary,
	crawlerReviewsResponse,
	mediaItem,
	productReviewDataResponse,
	questionAnswer,
	review,
	starRatingItem,
	starRatingResponse,
} from 'product-reviews-client/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ZodObject } from 'zod';
import { type Sandbox, SEED_PRODUCTS, startSandbox } from '../../../src/index.js';
import { readCrawlerBlock, readJsonld } from '../../support/crawler-block.js';
import { callsTo } from '../../support/test-sandbox.js';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** Expects every field that the contract reads, and none of a wrong type. */
function expectComplete(schema: ZodObject, items: readonly object[]): void {
	const fields = Object.keys(schema.shape);
	for (const item of items) {
		const sent = new Map<string, unknown>(Object.entries(item));
		const missing = fields.filter((field) => sent.get(field) === undefined || sent.get(field) === null);
		const parsed = schema.parse(item);
		const wrong = fields.filter((field) => sent.get(field) !== '' && parsed[field] === undefined);
		if (missing.length + wrong.length > 0) expect({ item, missing, wrong }).toBeUndefined();
	}
}

it('has 60 products, ten of each category, with the counts that demos and tests rely on', () => {
	const products = sandbox.store.listProducts();
	expect(products.map(({ pid }) => pid)).toEqual(Array.from({ length: 60 }, (_, index) => `p-${index + 1}`));
	expect(new Set(SEED_PRODUCTS.map(({ slug }) => slug)).size).toBe(60);
	for (const category of ['kitchen', 'home', 'garden', 'outdoor', 'desk', 'kids']) {
		expect(SEED_PRODUCTS.filter((product) => product.category === category)).toHaveLength(10);
	}
	const fixed = [
		{ pid: 'p-1', publishedCount: 24 },
		{ pid: 'p-33', publishedCount: 300 },
		{ pid: 'p-49', publishedCount: 0, unpublishedCount: 4 },
	];
	expect(products).toEqual(expect.arrayContaining(fixed.map((known) => expect.objectContaining(known))));
	const without = products.filter(({ publishedCount }) => publishedCount === 0);
	expect(without.map(({ pid }) => pid)).toEqual(['p-17', 'p-29', 'p-37', 'p-46', 'p-49', 'p-59']);
	const others = products.filter(({ pid }) => pid !== 'p-33');
	expect(Math.max(...others.map(({ publishedCount }) => publishedCount))).toBeLessThanOrEqual(40);
});

describe('the three operations, for each product of the seed', () => {
	it.each(SEED_PRODUCTS.map(({ pid, name }) => ({ pid, name })))('$pid $name', async ({ pid, name }) => {
		const calls = callsTo(sandbox);
		const data = await (await calls.productReviewData(pid)).json();
		const crawler = await (await calls.crawlerReviews(pid)).json();
		const stars = await (await calls.starRating([pid])).json();
		const [star] = stars.data;

		expect(starRatingResponse.parse(stars).success).toBe(true);
		expectComplete(starRatingItem, [star]);
		expectComplete(productReviewDataResponse, [data]);
		expectComplete(review, data.data);
		expectComplete(countSummary, [data.dataCount]);
		expect(countSummary.parse(data.dataCount).aitopics).toHaveLength(data.dataCount.aitopics.length);
		expect(Object.keys(data.dataCount.topicsmry)).toEqual(['en', 'pt']);
		expectComplete(mediaItem, data.dataMedia);
		expectComplete(questionAnswer, data.dataQueAns);
		expectComplete(crawlerReviewsResponse, [crawler]);

		const count = data.data.length;
		const { str1, str2, str3, str4, str5, avgrtng, prtng } = data.dataCount;
		expect(str1 + str2 + str3 + str4 + str5).toBe(count);
		expect({ avgrtng, prtng }).toEqual({ avgrtng: star.avgrtng, prtng: count });
		expect(crawler).toMatchObject({ status: 200, pid, dataCount: { avgrtng, prtng } });
		expect(star.queCount).toBe(data.dataCountQueAns);
		expect(new Set([...data.data, ...data.dataMedia].map((item) => item.pid))).toEqual(
			new Set(count ? [pid] : []),
		);

		const { style, items } = readCrawlerBlock(crawler.html);
		expect(style).toBe('position:absolute;width:1px;height:1px;overflow:hidden');
		expect(crawler.html).not.toMatch(/[\r\n\t\u2028\u2029]/);
		expect(items.map(({ author }) => author)).toEqual(data.data.map(({ un }: { un: string }) => un));
		const href = `https://shop.example/products/${pid}/`;
		const strange = items.filter(
			(item) =>
				item.product !== name ||
				item.href !== href ||
				!/^Rating: [1-5](\.5)?\/5$/.test(item.rating) ||
				!/^(202[456]-\d\d-\d\d)?$/.test(item.date),
		);
		expect(strange).toEqual([]);
		if (count === 0) return expect(crawler.jsonld).toBe('');
		const schema = readJsonld(crawler.jsonld);
		expect(schema).toMatchObject({ '@context': 'https://schema.org', '@type': 'Product', name });
		expect(schema['@id']).toBe(schema.url);
		expect(schema.aggregateRating).toMatchObject({
			ratingValue: avgrtng,
			reviewCount: prtng,
			bestRating: '5',
		});
		expect(schema.review.map(({ reviewBody }) => reviewBody)).toEqual(
			data.data.map(({ rtxt }: { rtxt: string }) => rtxt),
		);
	});
});
