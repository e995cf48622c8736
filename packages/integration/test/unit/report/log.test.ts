import { expect, test } from 'vitest';
import type { Failure, Status } from '../../../src/outcomes/outcomes.js';
import { createProductOutcomes, type ProductOutcomes } from '../../../src/outcomes/outcomes.js';
import {
	collectWarnings,
	describeDropped,
	summarize,
	type WarningsContext,
} from '../../../src/report/log.js';
import type { BuildReport, ReportParts } from '../../../src/report/report.js';
import { nameProducts } from '../../../src/text/words.js';
import { NO_REQUESTS, reportOf } from '../../support/unit/report.js';

/** The lines of a build with this many products of each status. */
function linesOf(
	statuses: Partial<Record<Status, number>>,
	requests: Partial<BuildReport['requests']> = {},
	parts: Partial<ReportParts> = {},
): string[] {
	const settle = ({ reviews }: ProductOutcomes) => {
		for (const [status, number = 0] of Object.entries(statuses)) {
			for (let index = 0; index < number; index++) reviews.settle(`${status}-${index}`, status as Status);
		}
	};
	const report = reportOf(settle, { requests: { ...NO_REQUESTS, ...requests }, fetchMs: 61_234, ...parts });
	return summarize(report, 'cache/product-reviews-report.json');
}

test('the five lines of a build, and none of one that asked for nothing', () => {
	const requests = { total: 2_100, retries: 100, bytes: 43_210_000 };
	const store = { bytes: 24_100_000, pruned: 0 };
	expect(linesOf({ fetched: 2_000, unchanged: 10_000 }, requests, { store })).toEqual([
		'12,000 products in 61.2 s: 2,000 fetched, 10,000 unchanged',
		'2,100 requests (0 for reviews, 100 tried again), 43.2 MB',
		'2 pages with reviews',
		'Store: 24.1 MB',
		'Report: cache/product-reviews-report.json',
	]);
	expect(linesOf({})).toEqual([]);
});

const EVERY = { fetched: 1, unchanged: 2, missing: 3, stale: 4, failed: 5 };
const STORED = { fetchMs: undefined };
const INCREMENTAL = { withReviews: 1_200, incremental: { keyed: 1_000, changed: 3, rendered: 8 } };

test.each<[...Parameters<typeof linesOf>, string]>([
	[{ fetched: 1 }, {}, {}, '1 product in 61.2 s: 1 fetched'],
	[EVERY, {}, {}, '15 products in 61.2 s: 1 fetched, 2 unchanged, 3 without reviews, 4 stale, 5 failed'],
	[{}, { total: 1 }, {}, 'Only ratings in lists in 61.2 s'],
	[{}, { total: 1 }, {}, '1 request (0 for reviews), 0 B'],
	[{ unchanged: 4 }, {}, STORED, '4 products from the store: 4 unchanged'],
	[{ unchanged: 4 }, {}, STORED, 'No request to the service'],
	[{ failed: 1 }, {}, STORED, '1 product: 1 failed'],
	[
		EVERY,
		{},
		{ pages: INCREMENTAL },
		'1,200 pages with reviews: 992 of 1,000 with a cacheKey reused, 3 changed',
	],
	[EVERY, {}, { store: { bytes: undefined, pruned: 0 } }, 'Store: in memory only'],
	[EVERY, {}, { store: { bytes: 999_001, pruned: 2 } }, 'Store: 999.0 KB, 2 unused products pruned'],
])('a build of %j with %j and %j says "%s"', (statuses, requests, parts, line) => {
	expect(linesOf(statuses, requests, parts)).toContain(line);
});

const PIDS = Array.from({ length: 1_500 }, (_, index) => `p-${index + 1}`);

const failure = (pid: string, stale: boolean, reason = '503'): Failure => {
	return { pid, stale, reason, error: undefined };
};

function warningsOf(kind: 'reviews' | 'rating', failures: Failure[], context: WarningsContext = {}) {
	const outcomes = createProductOutcomes();
	for (const one of failures) outcomes[kind].failures.push(one);
	return collectWarnings(outcomes, context);
}

test('warnings are of few products, named once, and of many', () => {
	expect(warningsOf('reviews', [])).toEqual([]);
	const failures = [failure('a', true), failure('a', true), failure('b', false, 'timeout')];
	const lists = { unlisted: ['c'], duplicates: new Set(['d']) };
	expect(warningsOf('reviews', failures, lists)).toEqual([
		'The service failed for 1 product; stored reviews are shown: "a". First reason: 503 [PR_SERVICE_FAILED]',
		'The service failed for 1 product, and nothing is stored: "b". First reason: timeout [PR_SERVICE_FAILED]',
		'Pages asked for 1 product missing from the product list: "c". They were fetched one by one. Add them to the option "products".',
		'The product list contains 1 product more than once: "d". Each was fetched once. Remove the duplicates from the option "products".',
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
	[true, 'stored stars are shown'],
	[false, 'stars that are not stored are left out'],
])('stars in lists that could not be fetched (stored: %s): %s', (isStored, what) => {
	expect(warningsOf('rating', [failure('a', isStored), failure('b', isStored)])).toEqual([
		`Ratings of 2 products could not be fetched; ${what}: "a", "b". First reason: 503 [PR_SERVICE_FAILED]`,
	]);
});

test('parts that could not be used are added up', () => {
	const [first = '', ...others] = PIDS;
	const dropped = others.map((pid) => ({ pid, parts: { 'address-refused': 2 } }));
	expect(
		describeDropped([{ pid: first, parts: { 'address-refused': 1, 'text-cut': 1 } }, ...dropped]),
	).toMatch(
		/^Some of what the service sent for 1,500 products could not be used: address that is not http\(s\) \(2,999\), text cut at its limit \(1\)\. Products: "p-1", .*, "p-20" and 1,480 more\.$/,
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
