import { expect, test } from 'vitest';
import { stoppableList } from '../../../src/build/stoppable-list.js';

async function collect(list: AsyncIterable<string>, into: string[] = []): Promise<string[]> {
	for await (const pid of list) into.push(pid);
	return into;
}

test('a list that is not stopped is whole, and its errors come through', async () => {
	const { products } = stoppableList(
		(async function* () {
			yield* ['a', 'b'];
		})(),
	);
	expect(await collect(products)).toEqual(['a', 'b']);
	const failing = stoppableList(
		(async function* () {
			yield 'a';
			throw new Error('no list');
		})(),
	);
	await expect(collect(failing.products)).rejects.toThrow('no list');
});

test('a list that hangs ends when it is stopped, and its own cleanup runs when it can', async () => {
	const { promise: page, resolve } = Promise.withResolvers<void>();
	let isCleanedUp = false;
	const { products, stop } = stoppableList(
		(async function* () {
			try {
				yield 'a';
				await page;
				yield 'b';
			} finally {
				isCleanedUp = true;
			}
		})(),
	);
	const read: string[] = [];
	const all = collect(products, read);
	setTimeout(stop, 10);
	expect(await all).toEqual(['a']);
	resolve();
	await new Promise((resolve) => setImmediate(resolve));
	expect(isCleanedUp).toBe(true);
});

test('a list that was stopped before it was read is empty', async () => {
	const { products, stop } = stoppableList(
		(async function* () {
			yield 'a';
		})(),
	);
	stop();
	expect(await collect(products)).toEqual([]);
});
