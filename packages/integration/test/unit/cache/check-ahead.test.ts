import { setTimeout } from 'node:timers/promises';
import { errorOf } from 'product-reviews-test-support/error-of';
import { expect, test } from 'vitest';
import { checkAhead } from '../../../src/cache/check-ahead.js';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `p-${index + 1}`);

async function* listOf(count: number, error?: Error) {
	yield* ids(count);
	if (error) throw error;
}

async function all(products: AsyncGenerator<string>) {
	const found: string[] = [];
	for await (const pid of products) found.push(pid);
	return found;
}

test('chunks of a hundred, all but the last full, and every product in order', async () => {
	const sizes: number[] = [];
	const { products, checked } = checkAhead(listOf(5_050), async (chunk) => void sizes.push(chunk.length));
	expect(await all(products)).toEqual(ids(5_050));
	await checked;
	expect(sizes).toEqual([...Array(50).fill(100), 50]);
});

test('everything is checked though nobody works on the products yet, four chunks at a time', async () => {
	let inFlight = 0;
	let most = 0;
	const { products, checked } = checkAhead(listOf(1_000), async () => {
		most = Math.max(most, ++inFlight);
		await setTimeout(1);
		inFlight -= 1;
	});
	await checked;
	expect(most).toBe(4);
	expect(new Set(await all(products))).toEqual(new Set(ids(1_000)));
});

test('many workers get each product once', async () => {
	const { products } = checkAhead(listOf(777), async () => setTimeout(1));
	const found = await Promise.all(Array.from({ length: 20 }, () => all(products)));
	expect(found.flat().toSorted()).toEqual(ids(777).toSorted());
});

test('what the list throws is thrown to those who work on it, and nobody waits for ever', async () => {
	const { products, checked } = checkAhead(
		listOf(250, new Error('the catalogue answered 500')),
		async () => {},
	);
	expect((await errorOf(() => all(products))).message).toBe('the catalogue answered 500');
	await checked;
});

test('an empty list', async () => {
	const { products, checked } = checkAhead(listOf(0), async () => {});
	expect(await all(products)).toEqual([]);
	await checked;
});
