import { readFileSync } from 'node:fs';
import { errorOf } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import medusa from '../../../../src/providers/shipped/medusa.js';
import { callProvider, startStandIn } from '../../../support/unit/stand-in.js';

/** Answers that real servers gave: see their README. */
const RECORDED = new URL('../../../recorded/medusa/', import.meta.url);

interface Recorded {
	readonly status: number;
	readonly body: { readonly product_reviews?: readonly { readonly product_id: string }[] };
}

const read = (name: string): Recorded => JSON.parse(readFileSync(new URL(`${name}.json`, RECORDED), 'utf8'));

/** A backend that gives a recorded answer to every request, on its first page. */
async function start(name: string) {
	const { status, body } = read(name);
	const { product_reviews = [] } = body;
	const service = await startStandIn(({ query }) => {
		const isFirst = query.get('offset') === '0';
		return { status, json: isFirst ? body : { ...body, product_reviews: [] } };
	});
	const provider = medusa({ url: service.url, publishableKey: 'pk_throwaway' });
	return { ...service, ...callProvider(provider), pid: product_reviews[0]?.product_id ?? '' };
}

test('2.21: approved reviews have short names, each picture once, and the buyer’s mark', async () => {
	const { data, requests, pid } = await start('reviews-approved');
	const record = await data(pid);
	expect(record?.reviews.length).toBeGreaterThan(1);
	for (const review of record?.reviews ?? []) {
		expect(review.author ?? '').toMatch(/^(?:\S+(?: \S\.)?)?$/u);
		expect(review.verified).toBe(true);
		expect(new Set(review.images).size).toBe(review.images.length);
	}
	expect(record?.reviews.filter(({ reply }) => reply?.text && reply.date)).toHaveLength(1);
	expect(JSON.stringify(record)).not.toContain('@');
	expect(requests[0]?.query.get('status')).toBe('approved');
	expect(requests[0]?.headers['x-publishable-api-key']).toBe('pk_throwaway');
});

test('2.13, which sends all reviews: those that nobody approved stay out of reviews and ratings', async () => {
	const { reviews, ratings, pid } = await start('2.13.5-reviews-without-status');
	const all = read('2.13.5-reviews-without-status').body.product_reviews as readonly Record<
		string,
		unknown
	>[];
	const approved = all.filter(({ status }) => status === 'approved');
	expect(approved.length).toBeLessThan(all.length);
	const average = approved.reduce((sum, { rating }) => sum + Number(rating), 0) / approved.length;
	expect((await reviews(pid))?.aggregate).toEqual({
		average: expect.closeTo(average, 2),
		count: approved.length,
	});
	expect(await ratings(pid)).toEqual({ [pid]: { average, count: approved.length } });
});

test('a review that was hidden is gone, whatever the statistics still count', async () => {
	const { ratings, reviews } = await start('reviews-stale');
	expect(await ratings('prod_1')).toEqual({});
	expect((await reviews('prod_1'))?.aggregate).toBeUndefined();
});

test.each(['no-key', 'wrong-key'])('%s: what the backend says is in the error', async (name) => {
	const { reviews } = await start(name);
	const error = await errorOf(reviews('prod_1'));
	expect(error.message).toMatch(/publishable/i);
});
