import { expect, test } from 'vitest';
import { addUp, MOST_FAILED, type RefreshSum } from '../../../src/refresh/add-up.js';
import { CHUNK_SIZE, NOTHING, toChunks } from '../../../src/refresh/chunk.js';
import { createRunProgress } from '../../../src/refresh/redis/run-progress.js';
import type { Refreshed } from '../../../src/refresh/refresh-store.js';

async function* idsTo(count: number) {
	for (let index = 1; index <= count; index++) yield `p-${index}`;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
	const collected: Item[] = [];
	for await (const item of items) collected.push(item);
	return collected;
}

test.each([
	[0, []],
	[1, [1]],
	[CHUNK_SIZE, [CHUNK_SIZE]],
	[CHUNK_SIZE * 2 + 1, [CHUNK_SIZE, CHUNK_SIZE, 1]],
])('%i products are chunks of %j', async (count, sizes) => {
	const chunks = await collect(toChunks(idsTo(count), { pids: [], all: false }));
	expect(chunks.map(({ pids }) => pids.length)).toEqual(sizes);
	expect(chunks.flatMap(({ pids }) => pids)).toEqual(await collect(idsTo(count)));
});

test('each chunk has what changed of it', async () => {
	const changed = { pids: ['p-2', 'p-150', 'not-listed'], all: false };
	const chunks = await collect(toChunks(idsTo(150), changed));
	expect(chunks.map((chunk) => chunk.changed)).toEqual([
		{ pids: ['p-2'], all: false },
		{ pids: ['p-150'], all: false },
	]);
	const [every] = await collect(toChunks(idsTo(1), { pids: [], all: true }));
	expect(every?.changed.all).toBe(true);
});

test('sums count failures of last tries only, and list a thousand of them', () => {
	const failed = Array.from({ length: 700 }, (_, index) => ({ pid: `p-${index}`, reason: 'no' }));
	const chunk: Refreshed = { ...NOTHING, totals: { ...NOTHING.totals, products: 700 }, requests: 9, failed };
	let sum: RefreshSum = { ...NOTHING, failures: 0 };
	sum = addUp(sum, { ...chunk, totals: { ...chunk.totals, unreadable: 3 } }, false);
	expect(sum).toMatchObject({
		requests: 9,
		failures: 0,
		failed: [],
		totals: { products: 700, unreadable: 3 },
	});
	for (let times = 0; times < 2; times++) sum = addUp(sum, chunk, true);
	expect(sum).toMatchObject({ requests: 27, failures: 1_400, totals: { products: 2_100, unreadable: 3 } });
	expect(sum.failed).toHaveLength(MOST_FAILED);
});

test('progress is said when there is some: each time on a terminal, ten times elsewhere', () => {
	const say = (isTerminal: boolean) => {
		const lines: string[] = [];
		const progress = createRunProgress(isTerminal, (line) => lines.push(line));
		progress({ done: 0, total: undefined, own: 0 });
		for (let done = 50; done <= 5_000; done += 50) progress({ done, total: 5_000, own: done / 50 });
		progress({ done: 5_000, total: 5_000, own: 100 });
		return lines;
	};
	expect(say(true)).toHaveLength(100);
	expect(say(false)).toHaveLength(10);
	expect(say(false).at(-1)).toBe('5,000/5,000 products by all workers, 100 by this one');
});
