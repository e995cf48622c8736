import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { inShard, readShard, shardOf } from '../../../src/shards/index.js';
import { findShard } from '../../../src/shards/shards.js';

describe('the shard of a product', () => {
	// Written by another program. A store may know these numbers, so they never change.
	test.each([
		['p-1', [1, 1, 3, 15, 663]],
		['p-2', [1, 2, 4, 12, 788]],
		['42', [1, 2, 2, 14, 590]],
		['Größe', [1, 2, 2, 2, 426]],
		['gid://shopify/Product/1', [1, 2, 4, 12, 148]],
		['日本', [1, 2, 4, 16, 136]],
		['😀', [1, 1, 3, 11, 643]],
	])('%s is the same for ever', (pid, shards) => {
		expect([1, 2, 4, 16, 1_000].map((n) => shardOf(pid, n))).toEqual(shards);
	});

	test('is exactly one of them, and that of a number is that of its text', () => {
		const anyId = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.bigInt());
		fc.assert(
			fc.property(anyId, fc.integer({ min: 1, max: 5_000 }), (pid, n) => {
				const shard = shardOf(pid, n);
				expect(Number.isInteger(shard) && shard >= 1 && shard <= n).toBe(true);
				expect(shardOf(String(pid), n)).toBe(shard);
				expect(inShard(String(pid), { index: shard, count: n })).toBe(true);
				expect(inShard(String(pid), { index: (shard % n) + 1, count: n })).toBe(n === 1);
			}),
		);
	});

	test.each([
		['ids with a number', (index: number) => `p-${index}`],
		['multiples of a thousand', (index: number) => index * 1_000],
		['ids that repeat each digit', (index: number) => String(index).replaceAll(/./g, '$&$&')],
		['long ids', (index: number) => `gid://shopify/Product/${7_000_000_000_000 + index}`],
	])('spreads %s evenly', (_, toId) => {
		for (const n of [2, 3, 16, 50]) {
			const counts = new Array<number>(n).fill(0);
			for (let index = 0; index < 5_000; index++) {
				const at = shardOf(toId(index), n) - 1;
				counts[at] = (counts[at] ?? 0) + 1;
			}
			const expected = 5_000 / n;
			// Five standard deviations of what chance does.
			const most = 5 * Math.sqrt(expected);
			expect(Math.max(...counts.map((count) => Math.abs(count - expected)))).toBeLessThan(most);
		}
	});

	test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('is none of %s shards', (n) => {
		expect(() => shardOf('p-1', n)).toThrow(
			expect.objectContaining({ code: 'PR_INVALID_SHARD', message: `The number of shards is ${n}.` }),
		);
	});
});

describe('the variable REVIEWS_SHARD', () => {
	test.each([
		['3/16', { index: 3, count: 16 }],
		[' 1/1 ', { index: 1, count: 1 }],
		['16/16', { index: 16, count: 16 }],
		['', { index: 1, count: 1 }],
		[undefined, { index: 1, count: 1 }],
	])('%o is read', (given, shard) => {
		expect(readShard({ REVIEWS_SHARD: given })).toEqual(shard);
	});

	const WRONG = ['3', '0/4', '5/4', '3-16', '1/0', '-1/4', '1.5/4', '1/4/2', 'all', '1/99999999999'];
	test.each(WRONG)('%o is refused, unless it is another tool’s', (given) => {
		expect(() => readShard({ REVIEWS_SHARD: given })).toThrow(
			expect.objectContaining({
				code: 'PR_INVALID_SHARD',
				message: `The variable REVIEWS_SHARD is "${given}", which is not a shard.`,
				hint: expect.stringContaining('such as REVIEWS_SHARD=3/16.'),
			}),
		);
		expect(findShard({ REVIEWS_SHARD: given })).toBeUndefined();
	});

	test('decides for pages and products', () => {
		vi.stubEnv('REVIEWS_SHARD', '3/4');
		expect([inShard('p-1'), inShard('p-2')]).toEqual([true, false]);
		vi.stubEnv('REVIEWS_SHARD', undefined);
		expect([inShard('p-1'), inShard('p-2')]).toEqual([true, true]);
		vi.unstubAllEnvs();
	});
});
