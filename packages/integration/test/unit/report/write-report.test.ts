import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { createRequestCounts } from '../../../src/outcomes/create-request-counts.js';
import { addRequest, createProductOutcomes } from '../../../src/outcomes/product-outcomes.js';
import { createReport } from '../../../src/report/build-report.js';
import { createPagesByProduct } from '../../../src/report/pages-by-product.js';
import { writeReport } from '../../../src/report/write-report.js';
import { VERSION } from '../../../src/version.js';
import { NO_REQUESTS } from '../../support/unit/report.js';

const PARTS = {
	requests: NO_REQUESTS,
	ms: 1_234,
	now: Date.parse('2026-11-21T10:00:00Z'),
	pages: { withReviews: 2 },
	store: { bytes: 8_192, pruned: 1 },
	audit: { pages: 2, findings: [] },
};

test('each product says what it came to, what it cost and which pages show it', () => {
	const outcomes = createProductOutcomes();
	const { reviews, 'review-data': data } = outcomes;
	const counts = createRequestCounts(() => 0);
	const add = (facts: Parameters<typeof addRequest>[1] & Parameters<typeof counts.add>[0]) => {
		counts.add(facts);
		addRequest(outcomes, facts);
	};
	const ask = (pid: string, attempt: number, bytes: number) =>
		add({ operation: 'crawlerReviews', pids: [pid], attempt, bytes, durationMs: 20.4 });
	ask('a', 1, 0);
	ask('a', 2, 5_000);
	reviews.settle('a', 'fetched');
	reviews.settle('b', 'unchanged');
	ask('c', 1, 10);
	reviews.settle('c', 'stale', '503 Service Unavailable');
	data.settle('c', 'fetched');
	reviews.addAnswer('c', { 'text-cut': 1 });
	data.addAnswer('c', { 'text-cut': 2, 'review-empty': 1 });
	add({ operation: 'starRating', pids: ['a', 'b', 'c'], attempt: 1, bytes: 90, durationMs: 9 });
	const pages = createPagesByProduct();
	pages.add('/', ['a', 'b', 'a']);
	pages.add('/a/', ['a']);
	pages.add('/about/', []);
	const file = join(createFolder(), 'cache', 'report.json');

	writeReport(file, createReport({ ...PARTS, requests: counts.totals(), outcomes, pagesOf: pages.pagesOf }));

	expect(pages.count).toBe(2);
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
		version: VERSION,
		builtAt: '2026-11-21T10:00:00.000Z',
		ms: 1_234,
		pages: PARTS.pages,
		store: PARTS.store,
		audit: PARTS.audit,
		totals: { products: 3, fetched: 1, unchanged: 1, missing: 0, stale: 1, failed: 0 },
		reviewData: { products: 1, fetched: 1, unchanged: 0, missing: 0, stale: 0, failed: 0 },
		requests: {
			total: 4,
			retries: 1,
			bytes: 5_100,
			operations: { starRating: 1, productReviewData: 0, crawlerReviews: 3 },
		},
		products: [
			{ pid: 'a', status: 'fetched', ms: 41, bytes: 5_000, pages: ['/', '/a/'] },
			{ pid: 'b', status: 'unchanged', ms: 0, bytes: 0, pages: ['/'] },
			{
				pid: 'c',
				status: 'stale',
				reason: '503 Service Unavailable',
				ms: 20,
				bytes: 10,
				pages: [],
				dropped: { 'text-cut': 3, 'review-empty': 1 },
				reviewData: { status: 'fetched', ms: 0, bytes: 0 },
			},
		],
	});
	expect(readdirSync(dirname(file)).sort()).toEqual(['.gitignore', 'report.json']);
});

test('what is current in the store does not hide what was done for a product before', () => {
	const outcomes = createProductOutcomes();
	outcomes.reviews.settle('a', 'fetched');
	outcomes.reviews.settle('a', 'unchanged');
	outcomes.reviews.settle('b', 'unchanged');
	outcomes.reviews.settle('b', 'stale', '503');
	const report = createReport({ ...PARTS, outcomes, pagesOf: () => [] });
	expect([...report.products]).toMatchObject([
		{ pid: 'a', status: 'fetched' },
		{ pid: 'b', status: 'stale', reason: '503' },
	]);
});

test('a report of 100,000 products with hostile ids is whole', () => {
	const outcomes = createProductOutcomes();
	const pids = Array.from({ length: 100_000 }, (_, index) => `"</script>\n\u2028 ${index}`);
	for (const pid of pids) outcomes.reviews.settle(pid, 'unchanged');
	const file = join(createFolder(), 'report.json');
	writeReport(file, createReport({ ...PARTS, outcomes, pagesOf: () => [] }));
	const { products } = JSON.parse(readFileSync(file, 'utf8')) as { products: { pid: string }[] };
	expect(products.map(({ pid }) => pid)).toEqual(pids);
});

test('a report without products is JSON, too', () => {
	const file = join(createFolder(), 'report.json');
	writeReport(file, createReport({ ...PARTS, outcomes: createProductOutcomes(), pagesOf: () => [] }));
	expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ products: [] });
});
