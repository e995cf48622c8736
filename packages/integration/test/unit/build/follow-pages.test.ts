import { settled } from 'product-reviews-test-support/settled';
import { expect, test } from 'vitest';
import { followPages } from '../../../src/build/follow-pages.js';

const pidsOf = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

function createSetup(count: number, checked?: Promise<unknown>) {
	const refreshed: string[] = [];
	const order = new Set(pidsOf(count));
	const follow = followPages({
		order,
		checked,
		async refresh(pid) {
			refreshed.push(pid);
			throw new Error('503');
		},
	});
	return { follow, refreshed, order };
}

test('a site with few pages that want it gets nothing more', () => {
	const { follow, refreshed } = createSetup(100);
	for (const pid of ['p-7', 'p-8', 'p-9', 'p-7', 'p-8', 'p-9']) follow(pid);
	expect(refreshed).toEqual([]);
});

test('the more pages want it, the more is fetched ahead, each product once, and at most twice as many', () => {
	const { follow, refreshed } = createSetup(1_000);
	pidsOf(1_000).forEach((pid, index) => {
		follow(pid);
		expect(refreshed.length).toBeLessThanOrEqual(index + 1 + Math.min(256, 2 * (index + 1)));
	});
	expect(refreshed).toEqual(pidsOf(1_000).slice(4));
});

test('a list that still grows goes on', () => {
	const { follow, refreshed, order } = createSetup(5);
	for (const pid of pidsOf(5)) follow(pid);
	expect(refreshed).toEqual(['p-4']);
	order.add('p-5').add('p-6');
	follow('p-4');
	expect(refreshed).toEqual(['p-4', 'p-5', 'p-6']);
});

test('nothing is fetched before it is known what is outdated', async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const { follow, refreshed } = createSetup(10, promise);
	for (const pid of pidsOf(5)) follow(pid);
	await settled();
	expect(refreshed).toEqual([]);
	resolve();
	await settled();
	expect(refreshed).toEqual(['p-5', 'p-6', 'p-7', 'p-8', 'p-9']);
});
