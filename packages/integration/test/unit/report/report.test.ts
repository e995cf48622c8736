import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { addRequest, createProductOutcomes, RequestCounts } from '../../../src/outcomes/outcomes.js';
import { removeReport, reportBuild } from '../../../src/report/log.js';
import { createReport, PagesByProduct, type ReportParts, writeReport } from '../../../src/report/report.js';
import { VERSION } from '../../../src/version.js';
import { NO_REQUESTS } from '../../support/unit/report.js';

const PARTS = {
	...{ requests: NO_REQUESTS, ms: 1_234, now: Date.parse('2026-11-21T10:00:00Z'), pagesOf: () => [] },
	...{ pages: { withReviews: 2 }, store: { bytes: 8_192, pruned: 1 }, audit: { pages: 2, findings: [] } },
};

/** The report as it is read from its file. */
function written(parts: Partial<ReportParts> & Pick<ReportParts, 'outcomes'>) {
	const file = join(createFolder(), 'cache', 'report.json');
	writeReport(file, createReport({ ...PARTS, ...parts }));
	expect(readdirSync(dirname(file)).sort()).toEqual(['.gitignore', 'report.json']);
	return JSON.parse(readFileSync(file, 'utf8'));
}

test('each product says what it came to, what it cost and which pages show it', () => {
	const outcomes = createProductOutcomes();
	const { reviews, 'review-data': data } = outcomes;
	const counts = new RequestCounts();
	const add = (facts: Parameters<typeof addRequest>[1] & Parameters<typeof counts.add>[0]) => {
		counts.add(facts);
		addRequest(outcomes, facts);
	};
	const ask = (pid: string, attempt: number, bytes: number) =>
		add({ operation: 'crawlerReviews', pids: [pid], attempt, bytes, durationMs: 20.4 });
	ask('a', 1, 0);
	ask('a', 2, 5_000);
	reviews.settle('b', 'unchanged');
	ask('c', 1, 10);
	add({ operation: 'starRating', pids: ['a', 'b', 'c'], attempt: 1, bytes: 90, durationMs: 9 });
	reviews.settle('a', 'fetched');
	// That it is current in the store does not hide what was done for it before.
	reviews.settle('a', 'unchanged');
	reviews.settle('c', 'unchanged');
	reviews.settle('c', 'stale', '503 Service Unavailable');
	data.settle('c', 'fetched');
	reviews.addAnswer('c', { 'text-cut': 1 });
	data.addAnswer('c', { 'text-cut': 2, 'review-empty': 1 });
	const pages = new PagesByProduct();
	pages.add('/élan/', ['a', 'b', 'a']);
	pages.add('/a/', ['a']);
	pages.add('/about/', []);
	expect(pages.count).toBe(2);

	const none = { products: 0, fetched: 0, unchanged: 0, missing: 0, stale: 0, failed: 0 };
	const { pagesOf: _, now: _now, ...parts } = PARTS;
	expect(written({ requests: counts.totals, outcomes, pagesOf: (pid) => pages.pagesOf(pid) })).toEqual({
		...{ ...parts, version: VERSION, builtAt: '2026-11-21T10:00:00.000Z' },
		totals: { ...none, products: 3, fetched: 1, unchanged: 1, stale: 1 },
		reviewData: { ...none, products: 1, fetched: 1 },
		requests: {
			...{ total: 4, retries: 1, bytes: 5_100 },
			operations: { starRating: 1, productReviewData: 0, crawlerReviews: 3 },
		},
		products: [
			{ pid: 'a', status: 'fetched', ms: 41, bytes: 5_000, pages: ['/élan/', '/a/'] },
			{ pid: 'b', status: 'unchanged', ms: 0, bytes: 0, pages: ['/élan/'] },
			{
				...{ pid: 'c', status: 'stale', reason: '503 Service Unavailable', ms: 20, bytes: 10, pages: [] },
				dropped: { 'text-cut': 3, 'review-empty': 1 },
				reviewData: { status: 'fetched', ms: 0, bytes: 0 },
			},
		],
	});
});

test('a report without products, and one of many products with hostile ids, is JSON', () => {
	const outcomes = createProductOutcomes();
	expect(written({ outcomes })).toMatchObject({ products: [] });
	const pids = Array.from({ length: 5_000 }, (_, index) => `"</script>\n\u2028 ${index}`);
	for (const pid of pids) outcomes.reviews.settle(pid, 'unchanged');
	const { products } = written({ outcomes }) as { products: { pid: string }[] };
	expect(products.map(({ pid }) => pid)).toEqual(pids);
});

test('a report that can neither be removed nor written costs a warning, never the build', () => {
	const file = join(createFolder(), 'report.json');
	mkdirSync(file);
	const lines: string[] = [];
	const warnings: string[] = [];
	const outcomes = createProductOutcomes();
	outcomes.reviews.settle('p-1', 'fetched');
	removeReport(file);
	const logger = { info: (line: string) => lines.push(line), warn: (line: string) => warnings.push(line) };
	reportBuild({ ...PARTS, file, storeFile: join(file, 'none.db'), pruned: 0, outcomes, logger });
	expect(lines.slice(3)).toEqual(['Store: in memory only', 'Report: not written']);
	expect(warnings).toEqual([
		'The report could not be written: rename failed with EISDIR. The build goes on.',
	]);
});
