import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { importGraphOf, NODE_GLOBALS } from 'product-reviews-test-support/import-graph';
import { describe, expect, test } from 'vitest';
import { inShard, shardOf } from '../../../src/shards/index.js';

const add = (counts: number[], at: number) => {
	counts[at] = (counts[at] ?? 0) + 1;
};

describe('shardOf', () => {
	// Written by another program. A store may know these numbers, so they never change.
	test.each([
		['p-1', [1, 1, 3, 15, 663]],
		['p-2', [1, 2, 4, 12, 788]],
		['42', [1, 2, 2, 14, 590]],
		['Größe', [1, 2, 2, 2, 426]],
		['gid://shopify/Product/1', [1, 2, 4, 12, 148]],
		['日本', [1, 2, 4, 16, 136]],
		['😀', [1, 1, 3, 11, 643]],
	])('gives %s the same shard for ever', (pid, shards) => {
		expect([1, 2, 4, 16, 1_000].map((n) => shardOf(pid, n))).toEqual(shards);
	});

	test('gives any id one of the shards, and numbers that of their text', () => {
		const anyId = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.bigInt());
		fc.assert(
			fc.property(anyId, fc.integer({ min: 1, max: 100_000 }), (pid, n) => {
				const shard = shardOf(pid, n);
				expect(Number.isInteger(shard) && shard >= 1 && shard <= n).toBe(true);
				expect(shardOf(String(pid), n)).toBe(shard);
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
			const counts = new Array<number>(n + 1).fill(0);
			for (let index = 0; index < 20_000; index++) add(counts, shardOf(toId(index), n));
			const expected = 20_000 / n;
			// Five standard deviations of what chance does.
			const most = 5 * Math.sqrt(expected);
			expect(Math.max(...counts.slice(1).map((count) => Math.abs(count - expected)))).toBeLessThan(most);
		}
	});

	test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s shards', (n) => {
		expect(() => shardOf('p-1', n)).toThrow(
			expect.objectContaining({ code: 'PR_INVALID_SHARD', message: `The number of shards is ${n}.` }),
		);
	});
});

test('each product is in exactly one shard', () => {
	const pids = Array.from({ length: 200 }, (_, index) => `p-${index}`);
	for (const count of [1, 7, 16]) {
		const shards = Array.from({ length: count }, (_, index) => ({ index: index + 1, count }));
		const built = shards.flatMap((shard) => pids.filter((pid) => inShard(pid, shard)));
		expect(built.toSorted()).toEqual(pids.toSorted());
	}
});

test('pages and configurations anywhere can import it', () => {
	const entry = fileURLToPath(new URL('../../../dist/shards/index.js', import.meta.url));
	const { files, others } = importGraphOf(entry);
	expect([...others]).toEqual([]);
	for (const code of files.values())
		expect(code.replaceAll('globalThis.process?.', '')).not.toMatch(NODE_GLOBALS);
});
