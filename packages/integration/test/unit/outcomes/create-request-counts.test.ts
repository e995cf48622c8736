import { createClock } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { createRequestCounts } from '../../../src/outcomes/create-request-counts.js';

test('requests are counted by operation, with what they brought and when the last one ended', () => {
	const clock = createClock();
	const counts = createRequestCounts(clock.now);
	const none = { starRating: 0, productReviewData: 0, crawlerReviews: 0 };
	expect(counts.totals()).toEqual({ total: 0, retries: 0, bytes: 0, operations: none });
	expect(counts.answeredAt()).toBeUndefined();
	counts.add({ operation: 'crawlerReviews', attempt: 1, bytes: 0 });
	counts.add({ operation: 'crawlerReviews', attempt: 2, bytes: 5_000 });
	clock.pass(250);
	counts.add({ operation: 'starRating', attempt: 1, bytes: 90 });
	const operations = { ...none, starRating: 1, crawlerReviews: 2 };
	expect(counts.totals()).toEqual({ total: 3, retries: 1, bytes: 5_090, operations });
	expect(counts.total()).toBe(3);
	expect(counts.answeredAt()).toBe(clock.now());
});
