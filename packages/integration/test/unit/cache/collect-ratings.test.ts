import { settled } from 'product-reviews-test-support/settled';
import { expect, test } from 'vitest';
import { collectRatings } from '../../../src/cache/collect-ratings.js';
import { messageOf } from '../../support/unit/error.js';

const pidsOf = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

function createSetup(answer: (pids: readonly string[]) => void = () => {}) {
	const lists: number[] = [];
	const ask = collectRatings({
		async fetchRatings(pids) {
			lists.push(pids.length);
			answer(pids);
			return new Map(pids.map((pid) => [pid, { average: 4, count: Number(pid.slice(2)), questionCount: 0 }]));
		},
	});
	return { lists, ask };
}

test.each([
	[1, [1]],
	[100, [100]],
	[250, [100, 100, 50]],
])('%d products of one turn are asked for in lists of a hundred', async (count, expected) => {
	const { lists, ask } = createSetup();
	const ratings = await Promise.all(pidsOf(count).map(ask));
	expect(lists).toEqual(expected);
	expect(ratings.map((rating) => rating?.count)).toEqual(Array.from({ length: count }, (_, index) => index));
});

test('products of another turn are another list', async () => {
	const { lists, ask } = createSetup();
	await ask('p-1');
	await settled();
	await ask('p-2');
	expect(lists).toEqual([1, 1]);
});

test('a list that fails, fails for each of its products, and for no other', async () => {
	const { ask } = createSetup((pids) => {
		if (pids.includes('p-1')) throw new Error('503');
	});
	const failed = ['p-1', 'p-2'].map((pid) => messageOf(() => ask(pid)));
	expect(await Promise.all(failed)).toEqual(['Error: 503\n', 'Error: 503\n']);
	expect((await ask('p-3'))?.count).toBe(3);
});
