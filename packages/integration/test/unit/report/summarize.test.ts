import { describe, expect, test } from 'vitest';
import type { Failure, Status } from '../../../src/outcomes/create-outcomes.js';
import type { RequestTotals } from '../../../src/outcomes/create-request-counts.js';
import { createProductOutcomes } from '../../../src/outcomes/product-outcomes.js';
import { createReport, type ReportParts } from '../../../src/report/build-report.js';
import { collectWarnings } from '../../../src/report/collect-warnings.js';
import { summarize } from '../../../src/report/summarize.js';
import { nameProducts } from '../../../src/text/words.js';
import { NO_REQUESTS } from '../../support/unit/report.js';

const failure = (pid: string, stale: boolean, reason = '503'): Failure => ({
	pid,
	stale,
	reason,
	error: undefined,
});
const warningsOf = (failures: Failure[], unlisted: string[] = [], duplicates: string[] = []) => {
	const outcomes = createProductOutcomes();
	for (const one of failures) outcomes.reviews.addFailure(one);
	return collectWarnings(outcomes, { unlisted, duplicates: new Set(duplicates) });
};

/** The lines of a build with this many products of each status. */
function linesOf(
	statuses: Partial<Record<Status, number>>,
	counts: Partial<RequestTotals> = {},
	parts: Partial<ReportParts> = {},
): string[] {
	const outcomes = createProductOutcomes();
	let last = 0;
	for (const [status, number] of Object.entries(statuses)) {
		for (let index = 0; index < number; index++) {
			outcomes.reviews.settle(`p-${last++}`, status as Status);
		}
	}
	const report = createReport({
		outcomes,
		requests: { ...NO_REQUESTS, ...counts },
		ms: 90_000,
		fetchMs: 61_234,
		now: 0,
		pages: { withReviews: 2 },
		store: { bytes: 24_100_000, pruned: 0 },
		audit: { pages: 0, findings: [] },
		pagesOf: () => [],
		...parts,
	});
	return summarize(report, 'cache/product-reviews-report.json');
}

describe('five lines', () => {
	test('of a build that fetched some', () => {
		const counts = { total: 2_100, retries: 100, bytes: 43_210_000 };
		expect(linesOf({ fetched: 2_000, unchanged: 10_000 }, counts)).toEqual([
			'12,000 products in 61.2 s: 2,000 fetched, 10,000 unchanged',
			'2,100 requests (0 for reviews, 100 tried again), 43.2 MB',
			'2 pages with reviews',
			'Store: 24.1 MB',
			'Report: cache/product-reviews-report.json',
		]);
	});

	test('of nothing, and of one', () => {
		expect(linesOf({})).toEqual([]);
		expect(linesOf({ fetched: 1 })[0]).toBe('1 product in 61.2 s: 1 fetched');
		expect(linesOf({}, { total: 1 }).slice(0, 2)).toEqual([
			'Only ratings in lists in 61.2 s',
			'1 request (0 for reviews), 0 B',
		]);
	});

	test('of a build that asked for nothing: it has no time of its own', () => {
		expect(linesOf({ unchanged: 4 }, {}, { fetchMs: undefined }).slice(0, 2)).toEqual([
			'4 products from the store: 4 unchanged',
			'No request to the service',
		]);
		expect(linesOf({ failed: 1 }, {}, { fetchMs: undefined })[0]).toBe('1 product: 1 failed');
	});

	test('of trouble', () => {
		expect(linesOf({ fetched: 1, unchanged: 2, missing: 3, stale: 4, failed: 5 })[0]).toBe(
			'15 products in 61.2 s: 1 fetched, 2 unchanged, 3 without reviews, 4 stale, 5 failed',
		);
	});

	test('of an incremental build', () => {
		const incremental = { keyed: 1_000, changed: 3, rendered: 8 };
		expect(linesOf({ fetched: 1 }, {}, { pages: { withReviews: 1_200, incremental } })[2]).toBe(
			'1,200 pages with reviews: 992 of 1,000 with a cacheKey reused, 3 changed',
		);
	});

	test('of a store without a file, and of one that forgot products', () => {
		expect(linesOf({ fetched: 1 }, {}, { store: { bytes: undefined, pruned: 0 } })[3]).toBe(
			'Store: in memory only',
		);
		expect(linesOf({ fetched: 1 }, {}, { store: { bytes: 999_001, pruned: 2 } })[3]).toBe(
			'Store: 999.0 KB, 2 unused products pruned',
		);
	});
});

describe('warnings', () => {
	test('none where there is nothing to warn of', () => {
		expect(warningsOf([])).toEqual([]);
	});

	test('of one product each', () => {
		const failures = [failure('a', true, '503'), failure('b', false, 'timeout')];
		expect(warningsOf(failures, ['c'], ['d'])).toMatchInlineSnapshot(`
			[
			  "The service failed for 1 product; stored reviews are shown: "a". First reason: 503 [PR_SERVICE_FAILED]",
			  "The service failed for 1 product, and nothing is stored: "b". First reason: timeout [PR_SERVICE_FAILED]",
			  "Pages asked for 1 product missing from the product list: "c". They were fetched one by one. Add them to the option "products".",
			  "The product list contains 1 product more than once: "d". Each was fetched once. Remove the duplicates from the option "products".",
			]
		`);
	});

	test('of many products', () => {
		const pids = Array.from({ length: 1_500 }, (_, index) => `p-${index}`);
		const failures = [
			...pids.map((pid) => failure(pid, true)),
			...pids.map((pid) => failure(`m-${pid}`, false)),
		];
		const warnings = warningsOf(failures, pids, pids);
		expect(warnings).toHaveLength(4);
		for (const warning of warnings) {
			expect(warning).toContain('1,500 products');
			expect(warning).toContain('and 1,400 more');
			expect(warning.length).toBeLessThan(2_000);
		}
	});

	test('a product whose reviews and data both failed is named once', () => {
		const failures = [failure('a', true), failure('a', true)];
		expect(warningsOf(failures)).toEqual([
			'The service failed for 1 product; stored reviews are shown: "a". First reason: 503 [PR_SERVICE_FAILED]',
		]);
	});

	test.each([
		[true, 'stored stars are shown'],
		[false, 'stars that are not stored are left out'],
	])('of stars in lists (stored: %s)', (isStored, what) => {
		const outcomes = createProductOutcomes();
		for (const pid of ['a', 'b']) outcomes.rating.addFailure(failure(pid, isStored));
		expect(collectWarnings(outcomes, { onError: 'stale' })).toEqual([
			`Ratings of 2 products could not be fetched; ${what}: "a", "b". First reason: 503 [PR_SERVICE_FAILED]`,
		]);
	});
});

describe('names of products', () => {
	test.each<[string[], string]>([
		[[], ''],
		[['a'], '"a"'],
		[['a', 'b'], '"a", "b"'],
		[['a\u001b[31m\nb\u0007'], '"a[31m b"'],
		[['\u202e\u200bcba'], '"cba"'],
		[['👩‍👩‍👧'], '"👩‍👩‍👧"'],
		[['x'.repeat(500)], `"${'x'.repeat(59)}…"`],
		[['\u0000'], '""'],
	])('%j is %s', (pids, expected) => {
		expect(nameProducts(pids)).toBe(expected);
	});
	test('the first ones', () => {
		expect(nameProducts(['a', 'b', 'c', 'd'], 2)).toBe('"a", "b" and 2 more');
	});
});
