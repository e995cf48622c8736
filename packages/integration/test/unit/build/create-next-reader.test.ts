import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createNextReader } from '../../../src/build/create-next-reader.js';
import { createTextSet } from '../../../src/collections/create-text-set.js';

/** @param stepsOf how many steps it takes to read these products. @default none */
function createSetup(products: number, stepsOf = (_pids: readonly string[]) => 0) {
	const order = createTextSet();
	for (let index = 0; index < products; index++) order.add(`p-${index}`);
	const reads: (readonly string[])[] = [];
	let steps = 0;
	const ask = createNextReader(order, function* (pids) {
		if (pids.length > 0) reads.push(pids);
		for (let left = stepsOf(pids); left > 0; left--) {
			yield;
			steps += 1;
		}
	});
	/** Pages that ask for these products, one after the other. Each has two components. */
	const pages = async (...indexes: number[]) => {
		for (const index of indexes) {
			ask(`p-${index}`);
			ask(`p-${index}`);
			await setImmediate();
		}
		return reads.splice(0).map((pids) => pids.map((pid) => Number(pid.slice(2))));
	};
	return { ask, pages, steps: () => steps };
}

const range = (start: number, end: number) => Array.from({ length: end - start }, (_, at) => start + at);

test('in the order of the list, each product is read once: one, then two, then thirty-two at a time, up to its end', async () => {
	const { pages } = createSetup(100);
	const reads = await pages(...range(0, 100));
	expect(reads.flat()).toEqual(range(1, 100));
	expect(reads.map(({ length }) => length)).toEqual([1, 2, 4, 8, 16, 32, 32, 4]);
});

test('in another order, nothing is read', async () => {
	const { pages } = createSetup(30);
	expect(await pages(29, 28, 27, 0, 2, 4, 20, 11)).toEqual([]);
});

test('where pages leave the order, reading ends, and starts anew with one', async () => {
	const { pages } = createSetup(30);
	await pages(...range(0, 12));
	expect(await pages(3, 20)).toEqual([]);
	expect(await pages(3, 4)).toEqual([[5]]);
});

test('products outside the list, and the last one of a list that grows, are no reason to read', async () => {
	const { pages } = createSetup(3);
	expect(await pages(0, 1, 2)).toEqual([[1], [2]]);
	expect(await pages(7, 8, 9)).toEqual([]);
});

test('what pages ask for before there is time is not read again', async () => {
	const { ask, pages } = createSetup(30);
	for (const index of range(0, 5)) ask(`p-${index}`);
	expect(await pages(5)).toEqual([range(6, 12)]);
});

test('a turn of the event loop takes one step, and nothing else is read before the last one', async () => {
	const { pages, steps } = createSetup(30, () => 4);
	const taken: number[] = [];
	const reads: number[][] = [];
	for (const index of range(0, 9)) {
		reads.push(...(await pages(index)));
		taken.push(steps());
	}
	expect(reads).toEqual([[1], range(6, 12)]);
	expect(taken).toEqual([0, 1, 2, 3, 4, 4, 5, 6, 7]);
});
