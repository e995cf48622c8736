import { describe, expect, test, vi } from 'vitest';
import { inShard, readShard } from '../../../src/shards/index.js';
import { findShard } from '../../../src/shards/read-shard.js';

describe('the variable SHARD', () => {
	test.each([
		['3/16', { index: 3, count: 16 }],
		[' 1/1 ', { index: 1, count: 1 }],
		['16/16', { index: 16, count: 16 }],
		['', { index: 1, count: 1 }],
		[undefined, { index: 1, count: 1 }],
	])('%o is read', (given, shard) => {
		expect(readShard({ SHARD: given })).toEqual(shard);
	});

	test.each(['3', '0/4', '5/4', '3-16', '1/0', '-1/4', '1.5/4', '1/4/2', 'all', '1/99999999999'])(
		'%o is refused, unless it is another tool’s',
		(given) => {
			expect(() => readShard({ SHARD: given })).toThrow(
				expect.objectContaining({
					code: 'PR_INVALID_SHARD',
					message: `The variable SHARD is "${given}", which is not a shard.`,
					hint: expect.stringContaining('such as SHARD=3/16.'),
				}),
			);
			expect(findShard({ SHARD: given })).toBeUndefined();
		},
	);

	test('decides for pages and products', () => {
		vi.stubEnv('SHARD', '3/4');
		expect([inShard('p-1'), inShard('p-2')]).toEqual([true, false]);
		vi.stubEnv('SHARD', undefined);
		expect([inShard('p-1'), inShard('p-2')]).toEqual([true, true]);
		vi.unstubAllEnvs();
	});
});
