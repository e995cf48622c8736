import { expect, test } from 'vitest';
import { reportOf, variedReport } from '../../../../integration/test/support/unit/report.js';
import { joinReports } from '../../../src/merge/join-reports.js';
import { createReportPage } from '../../../src/report-page/create-report-page.js';

const finding = { rule: 'several-products' as const, page: '/', pids: ['p-1', 'p-2'] };

const first = reportOf(
	({ reviews, 'review-data': data }) => {
		reviews.addRequest('p-1', 100, 1_000);
		reviews.settle('p-1', 'fetched');
		reviews.settle('p-2', 'unchanged');
		data.settle('p-1', 'fetched');
		reviews.addAnswer('p-1', { 'text-cut': 1 });
	},
	{
		requests: {
			total: 3,
			retries: 1,
			bytes: 1_000,
			operations: { crawlerReviews: 2, starRating: 1, productReviewData: 0 },
		},
		ms: 4_000,
		fetchMs: 2_000,
		now: 1_000,
		pages: { withReviews: 2, incremental: { keyed: 2, changed: 1, rendered: 1 } },
		store: { bytes: 10, pruned: 1 },
		audit: { pages: 2, findings: [finding] },
		pagesOf: (pid) => ['/', `/${pid}/`],
	},
);

const second = reportOf(
	({ reviews, 'review-data': data }) => {
		reviews.settle('p-3', 'unreadable', 'not JSON');
		reviews.addRequest('p-1', 300, 500);
		reviews.settle('p-1', 'failed', '503');
		data.settle('p-4', 'missing');
		reviews.addAnswer('p-1', { 'text-cut': 2 });
	},
	{
		requests: {
			total: 1,
			retries: 0,
			bytes: 500,
			operations: { crawlerReviews: 1, starRating: 0, productReviewData: 0 },
		},
		ms: 9_000,
		fetchMs: undefined,
		now: 2_000,
		pages: { withReviews: 2 },
		store: { bytes: 20, pruned: 2 },
		audit: { pages: 1, findings: [finding, { ...finding, page: '/p-3/' }] },
		pagesOf: (pid) => (pid === 'p-4' ? [] : ['/', `/${pid}/`]),
	},
);

test('reports of shards become one, with every product and every page once', () => {
	const { version, products, ...report } = joinReports([first, second]);
	expect(version).toBe(first.version);
	expect(report).toEqual({
		builtAt: '1970-01-01T00:00:02.000Z',
		ms: 9_000,
		fetchMs: 2_000,
		pages: { withReviews: 4, incremental: { keyed: 2, changed: 1, rendered: 1 } },
		store: { bytes: undefined, pruned: 3 },
		audit: { pages: 3, findings: [finding, { ...finding, page: '/p-3/' }] },
		totals: { products: 3, fetched: 0, unchanged: 1, missing: 0, stale: 0, failed: 1, unreadable: 1 },
		reviewData: { products: 2, fetched: 1, unchanged: 0, missing: 1, stale: 0, failed: 0 },
		requests: {
			...{ total: 4, retries: 1, bytes: 1_500 },
			operations: { starRating: 1, productReviewData: 0, crawlerReviews: 3 },
		},
	});
	expect(products).toEqual([
		{
			...{ pid: 'p-1', status: 'failed', reason: '503', ms: 400, bytes: 1_500, pages: ['/', '/p-1/'] },
			...{ dropped: { 'text-cut': 3 }, reviewData: { status: 'fetched', ms: 0, bytes: 0 } },
		},
		{ pid: 'p-2', status: 'unchanged', ms: 0, bytes: 0, pages: ['/', '/p-2/'] },
		{ pid: 'p-3', status: 'unreadable', reason: 'not JSON', ms: 0, bytes: 0, pages: ['/', '/p-3/'] },
		{ pid: 'p-4', ms: 0, bytes: 0, pages: [], reviewData: { status: 'missing', ms: 0, bytes: 0 } },
	]);
});

test('one report stays as it is', () => {
	const { store, pages, ...report } = variedReport();
	const { store: _store, pages: joinedPages, ...joined } = joinReports([variedReport()]);
	expect(joined).toEqual(report);
	expect(joinedPages.incremental).toEqual(pages.incremental);
});

test('a joined report can be written as a page', () => {
	expect(createReportPage(joinReports([first, second]))).toContain('p-3');
});
