import { describe, expect, test } from 'vitest';
import { nameProducts } from '../../../src/prefetch/name-products.js';
import { summarize } from '../../../src/prefetch/summarize.js';
import { createTally, type Failure, type Tally } from '../../../src/prefetch/tally.js';

const failure = (pid: string, stale: boolean, reason = '503'): Failure => ({
	pid,
	stale,
	reason,
	error: undefined,
});
const of = (parts: Partial<Tally>, unlisted: string[] = [], duplicates: string[] = []) =>
	summarize({ ...createTally(), ...parts }, 61_234, unlisted, duplicates);

describe('counts', () => {
	test.each<[string, Partial<Tally>, string[], string[]]>([
		['nothing', {}, [], ['0 products in 61.2 s: 0 fetched, 0 stored', '0 requests (0 tried again), 0.0 MB']],
		[
			'one',
			{ done: 1, fetched: 1, requests: 1, bytes: 20_000 },
			[],
			['1 product in 61.2 s: 1 fetched, 0 stored', '1 request (0 tried again), 0.0 MB'],
		],
		[
			'many',
			{ done: 12_000, fetched: 2_000, requests: 2_100, retries: 100, bytes: 43_210_000 },
			[],
			[
				'12,000 products in 61.2 s: 2,000 fetched, 10,000 stored',
				'2,100 requests (100 tried again), 43.2 MB',
			],
		],
		[
			'some that the list lacks',
			{ done: 10, fetched: 12, requests: 12 },
			['x', 'y'],
			['12 products in 61.2 s: 12 fetched, 0 stored', '12 requests (0 tried again), 0.0 MB'],
		],
		[
			'some that failed',
			{ done: 10, fetched: 4, failures: [failure('a', true), failure('b', false)] },
			[],
			['10 products in 61.2 s: 4 fetched, 4 stored', '0 requests (0 tried again), 0.0 MB'],
		],
	])('%s', (_what, tally, unlisted, info) => {
		expect(of(tally, unlisted).info).toEqual(info);
	});

	test('a number is never below zero', () => {
		const both = ['a', 'b'].flatMap((pid) => [failure(pid, false), failure(pid, false)]);
		expect(of({ done: 2, fetched: 2, failures: both }).info[0]).toBe(
			'2 products in 61.2 s: 2 fetched, 0 stored',
		);
	});
});

describe('warnings', () => {
	test('none where there is nothing to warn of', () => {
		expect(of({ done: 5, fetched: 5 }).warnings).toEqual([]);
	});

	test('of one product each', () => {
		const failures = [failure('a', true, '503'), failure('b', false, 'timeout')];
		expect(of({ done: 2, failures }, ['c'], ['d']).warnings).toMatchInlineSnapshot(`
			[
			  "The service failed for 1 product; stored reviews are shown: "a". First reason: 503",
			  "The service failed for 1 product, and nothing is stored: "b". First reason: timeout",
			  "Pages asked for 1 product that the product list lacks: "c". They were fetched one by one. Add them to the option "products".",
			  "The product list holds 1 product more than once: "d". Each was asked for once. Remove the duplicates from the option "products".",
			]
		`);
	});

	test('of many products', () => {
		const pids = Array.from({ length: 1_500 }, (_, index) => `p-${index}`);
		const failures = [
			...pids.map((pid) => failure(pid, true)),
			...pids.map((pid) => failure(`m-${pid}`, false)),
		];
		const { warnings } = of({ failures }, pids, pids);
		expect(warnings).toHaveLength(4);
		for (const warning of warnings) {
			expect(warning).toContain('1,500 products');
			expect(warning).toContain('and 1,400 more');
			expect(warning.length).toBeLessThan(2_000);
		}
	});

	test('a product whose reviews and data both failed is named once', () => {
		const failures = [failure('a', true), failure('a', true)];
		expect(of({ failures }).warnings).toEqual([
			'The service failed for 1 product; stored reviews are shown: "a". First reason: 503',
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
