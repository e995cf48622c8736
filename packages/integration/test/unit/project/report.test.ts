import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { nameProducts } from '../../../src/base/words.js';
import { VERSION } from '../../../src/constants.js';
import { PagesByProduct } from '../../../src/pages/build-pages.js';
import {
	collectWarnings,
	describeDropped,
	removeReport,
	reportBuild,
	summarize,
	type WarningsContext,
} from '../../../src/project/log-lines.js';
import {
	type BuildReport,
	createReport,
	type ReportParts,
	writeReport,
} from '../../../src/project/report.js';
import {
	addRequest,
	createProductResults,
	type ProductResults,
	RequestCounts,
	type Status,
} from '../../../src/reviews/results.js';
import { NO_REQUESTS, reportOf } from '../../support/unit/report.js';

/** The lines of a build with this many products of each status. */
function linesOf(
	statuses: Partial<Record<Status, number>>,
	requests: Partial<BuildReport['requests']> = {},
	parts: Partial<ReportParts> = {},
): string[] {
	const settle = ({ reviews }: ProductResults) => {
		for (const [status, number = 0] of Object.entries(statuses))
			for (let index = 0; index < number; index++) reviews.settle(`${status}-${index}`, status as Status);
	};
	const report = reportOf(settle, { requests: { ...NO_REQUESTS, ...requests }, fetchMs: 61_234, ...parts });
	return summarize(report, 'cache/product-reviews-report.json');
}

test('the five lines of a build, and none of one that asked for nothing', () => {
	const requests = { total: 2_100, retries: 100, bytes: 43_210_000 };
	const cache = { bytes: 24_100_000, pruned: 0 };
	expect(linesOf({ fetched: 2_000, unchanged: 10_000 }, requests, { cache })).toEqual([
		'12,000 products in 61.2 s: 2,000 fetched, 10,000 unchanged',
		'2,100 requests (0 for reviews, 100 tried again), 43.2 MB',
		'2 pages with reviews',
		'Cache: 24.1 MB',
		'Report: cache/product-reviews-report.json',
	]);
	expect(linesOf({})).toEqual([]);
});

const EVERY = { fetched: 1, unchanged: 2, missing: 3, stale: 4, failed: 5 };
const STORED = { fetchMs: undefined };
const INCREMENTAL = { pages: { withReviews: 1_200, incremental: { keyed: 1_000, changed: 3, rendered: 8 } } };

test.each<[...Parameters<typeof linesOf>, string]>([
	[{ fetched: 1 }, {}, {}, '1 product in 61.2 s: 1 fetched'],
	[
		{ ...EVERY, missing: 6 },
		{},
		{},
		'18 products in 61.2 s: 1 fetched, 2 unchanged, 6 without reviews, 4 stale, 5 failed',
	],
	[{ fetched: 2, missing: 1 }, {}, {}, '3 products in 61.2 s: 2 fetched, 1 without reviews ("missing-0")'],
	[
		{ unchanged: 1, missing: 1 },
		{},
		STORED,
		'2 products from the cache: 1 unchanged, 1 without reviews ("missing-0")',
	],
	[{}, { total: 1 }, {}, 'Only ratings in lists in 61.2 s'],
	[{}, { total: 1 }, {}, '1 request (0 for reviews), 0 B'],
	[{ unchanged: 4 }, {}, STORED, '4 products from the cache: 4 unchanged'],
	[{ unchanged: 4 }, {}, STORED, 'No request was needed'],
	[{ failed: 1 }, {}, STORED, '1 product: 1 failed'],
	[EVERY, {}, INCREMENTAL, '1,200 pages with reviews: 992 of 1,000 with a cacheKey reused, 3 changed'],
	[EVERY, {}, { cache: { bytes: undefined, pruned: 0 } }, 'Cache: in memory only'],
	[EVERY, {}, { cache: { bytes: 999_001, pruned: 2 } }, 'Cache: 999.0 KB, 2 unused products pruned'],
])('a build of %j with %j and %j says "%s"', (statuses, requests, parts, line) => {
	expect(linesOf(statuses, requests, parts)).toContain(line);
});

const PIDS = Array.from({ length: 1_500 }, (_, index) => `p-${index + 1}`);

const failure = (pid: string, stale: boolean, reason = '503') => ({ pid, stale, reason, error: undefined });

function warningsOf(
	kind: 'reviews' | 'rating',
	failures: ReturnType<typeof failure>[],
	context: WarningsContext = {},
) {
	const results = createProductResults();
	for (const one of failures) results[kind].failures.push(one);
	return collectWarnings(results, context);
}

test('warnings are of few products, named once, and of many', () => {
	expect(warningsOf('reviews', [])).toEqual([]);
	const failures = [failure('a', true), failure('a', true), failure('b', false, 'timeout')];
	const lists = { unlisted: ['c'], duplicates: new Set(['d']) };
	expect(warningsOf('reviews', failures, lists)).toEqual([
		'The service failed for 1 product; cached reviews are shown: "a". First reason: 503 [PR_SERVICE_FAILED]',
		'The service failed for 1 product, and nothing is cached: "b". First reason: timeout [PR_SERVICE_FAILED]',
		'Pages show 1 product missing from the product list: "c". They were fetched one by one. Add them to the option "products". [PR_PRODUCT_LIST_DIFFERS]',
		'The product list contains 1 product more than once: "d". Each was fetched once. Remove the duplicates from the option "products". [PR_PRODUCT_LIST_DIFFERS]',
	]);
	const all = PIDS.flatMap((pid) => [failure(pid, true), failure(`m-${pid}`, false)]);
	const warnings = warningsOf('reviews', all, { unlisted: PIDS, duplicates: new Set(PIDS) });
	expect(warnings).toHaveLength(4);
	for (const warning of warnings) {
		expect(warning).toMatch(/1,500 products.*and 1,400 more/);
		expect(warning.length).toBeLessThan(2_000);
	}
});

test.each([
	[true, 'cached stars are shown'],
	[false, 'stars that are not cached are left out'],
])('stars in lists that could not be fetched (stored: %s): %s', (isStored, what) => {
	expect(warningsOf('rating', [failure('a', isStored), failure('b', isStored)])).toEqual([
		`Ratings of 2 products could not be fetched; ${what}: "a", "b". First reason: 503 [PR_SERVICE_FAILED]`,
	]);
});

test('parts that could not be used are added up', () => {
	const [first = '', ...others] = PIDS;
	const dropped = others.map((pid) => ({ pid, parts: { 'address-refused': 2 } }));
	const one = { pid: first, parts: { 'address-refused': 1, 'text-cut': 1 } };
	expect(describeDropped([one, ...dropped])).toMatch(
		/^Parts of the reviews of 1,500 products could not be used: address that is not http\(s\) \(2,999\), text cut at its limit \(1\)\. Products: "p-1", .*, "p-20" and 1,480 more\. \[PR_UNREADABLE_RESPONSE\]$/,
	);
});

test.each<[string[], string]>([
	[[], ''],
	[['a\u001b[31m\nb\u0007'], '"a[31m b"'],
	[['\u202e\u200bcba'], '"cba"'],
	[['👩‍👩‍👧'], '"👩‍👩‍👧"'],
	[['x'.repeat(500)], `"${'x'.repeat(59)}…"`],
	[['\u0000'], '""'],
	[['a', 'b'], '"a", "b"'],
	[['a', 'b', 'c', 'd'], '"a", "b" and 2 more'],
])('the products %j are named %s', (pids, expected) => {
	expect(nameProducts(pids, 2)).toBe(expected);
});

const PARTS = {
	...{ requests: NO_REQUESTS, ms: 1_234, now: Date.parse('2026-11-21T10:00:00Z'), pagesOf: () => [] },
	...{ pages: { withReviews: 2 }, cache: { bytes: 8_192, pruned: 1 }, audit: { pages: 2, findings: [] } },
};

/** The report as it is read from its file. */
function written(parts: Partial<ReportParts> & Pick<ReportParts, 'results'>) {
	const file = join(createFolder(), 'cache', 'report.json');
	writeReport(file, createReport({ ...PARTS, ...parts }));
	expect(readdirSync(dirname(file)).sort()).toEqual(['.gitignore', 'report.json']);
	return JSON.parse(readFileSync(file, 'utf8'));
}

test('each product says what it came to, what it cost and which pages show it', () => {
	const results = createProductResults();
	const { reviews, 'review-data': data } = results;
	const counts = new RequestCounts();
	const add = (facts: Parameters<typeof addRequest>[1] & Parameters<typeof counts.add>[0]) => {
		counts.add(facts);
		addRequest(results, facts);
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
	expect(written({ requests: counts.totals, results, pagesOf: (pid) => pages.pagesOf(pid) })).toEqual({
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
	const results = createProductResults();
	expect(written({ results })).toMatchObject({ products: [] });
	const pids = Array.from({ length: 5_000 }, (_, index) => `"</script>\n\u2028 ${index}`);
	for (const pid of pids) results.reviews.settle(pid, 'unchanged');
	const { products } = written({ results }) as { products: { pid: string }[] };
	expect(products.map(({ pid }) => pid)).toEqual(pids);
});

test('a report that can neither be removed nor written costs a warning, never the build', () => {
	const file = join(createFolder(), 'report.json');
	mkdirSync(file);
	const lines: string[] = [];
	const warnings: string[] = [];
	const results = createProductResults();
	results.reviews.settle('p-1', 'fetched');
	removeReport(file);
	const logger = { info: (line: string) => lines.push(line), warn: (line: string) => warnings.push(line) };
	reportBuild({ ...PARTS, file, cacheFile: join(file, 'none.db'), pruned: 0, results, logger });
	expect(lines.slice(3)).toEqual(['Cache: in memory only', 'Report: not written']);
	const failed =
		'The report could not be written: rename failed with EISDIR. The build goes on. [PR_FILE_NOT_WRITTEN]';
	expect(warnings).toEqual([failed]);
});
