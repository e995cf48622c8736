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

describe('the three operations, for all products of the seed', () => {
	it('star rating sends every documented field', async () => {
		const pids = SEED_PRODUCTS.map(({ pid }) => pid);
		const body = await (await callsTo(sandbox).starRating(pids)).json();
		expect(starRatingResponse.parse(body).success).toBe(true);
		expect(body.data.map(({ pid }: { pid: string }) => pid)).toEqual(pids);
		expectComplete(starRatingItem, body.data);
	});

	it.each(SEED_PRODUCTS.map(({ pid, name }) => ({ pid, name })))('$pid $name', async ({ pid, name }) => {
		const calls = callsTo(sandbox);
		const data = await (await calls.productReviewData(pid)).json();
		const crawler = await (await calls.crawlerReviews(pid)).json();
		const [star] = (await (await calls.starRating([pid])).json()).data;

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
