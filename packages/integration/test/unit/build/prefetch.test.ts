import { errorOf } from 'product-reviews-test-support/error-of';
import { settled } from 'product-reviews-test-support/settled';
import { expect, test } from 'vitest';
import { prefetch } from '../../../src/build/prefetch.js';

/** A list that counts how much of it was taken, and that may throw at an index. */
function createList(length: number, throwsAt = Number.POSITIVE_INFINITY) {
	const state = { taken: 0, ended: false };
	async function* list() {
		try {
			for (let index = 0; index < length; index++) {
				if (index === throwsAt) throw new Error('the list ended early');
				state.taken += 1;
				yield `p-${index}`;
			}
		} finally {
			state.ended = true;
		}
	}
	return { list: list(), state };
}

test('every product is refreshed once, as many at once as there are workers', async () => {
	const { list } = createList(1_000);
	const refreshed: string[] = [];
	let [now, most, done] = [0, 0, 0];
	const refresh = async (pid: string) => {
		most = Math.max(most, ++now);
		await settled();
		refreshed.push(pid);
		now -= 1;
	};
	await prefetch(list, 100, refresh, () => {
		done += 1;
	});
	expect(new Set(refreshed).size).toBe(1_000);
	expect([refreshed.length, done, most]).toEqual([1_000, 1_000, 100]);
});

test('the list is not read further ahead than there are workers', async () => {
	const { list, state } = createList(1_000);
	const waiting: PromiseWithResolvers<void>[] = [];
	const refresh = () => {
		waiting.push(Promise.withResolvers());
		return waiting.at(-1)?.promise ?? Promise.resolve();
	};
	const ended = prefetch(list, 4, refresh, () => {});
	await settled();
	expect(state.taken).toBe(4);
	waiting[0]?.resolve();
	await settled();
	expect(state.taken).toBe(5);
	for (let index = 1; index < 1_000; index++) {
		waiting[index]?.resolve();
		if (!waiting[index + 1]) await settled();
	}
	await ended;
});

test('a list of fresh products leaves turns to others', async () => {
	const { list } = createList(2_000);
	let turns = 0;
	const count = () => {
		turns += 1;
		handle = setImmediate(count);
	};
	let handle = setImmediate(count);
	await prefetch(
		list,
		8,
		async () => {},
		() => {},
	);
	clearImmediate(handle);
	expect(turns).toBeGreaterThanOrEqual(5);
});

test('a list that throws: what is under way is waited for, then its error is thrown', async () => {
	const { list } = createList(100, 10);
	const waiting: PromiseWithResolvers<void>[] = [];
	const refresh = () => {
		waiting.push(Promise.withResolvers());
		return waiting.at(-1)?.promise ?? Promise.resolve();
	};
	let ended = false;
	const failure = errorOf(() => prefetch(list, 20, refresh, () => {})).finally(() => {
		ended = true;
	});
	await settled();
	expect([waiting.length, ended]).toEqual([10, false]);
	for (const { resolve } of waiting) resolve();
	expect((await failure).message).toBe('the list ended early');
});

test('a refresh that fails ends the others after the product they have, and closes the list', async () => {
	const { list, state } = createList(1_000);
	const refreshed: string[] = [];
	const refresh = async (pid: string) => {
		await settled();
		if (pid === 'p-3') throw new Error('503');
		refreshed.push(pid);
	};
	expect((await errorOf(() => prefetch(list, 4, refresh, () => {}))).message).toBe('503');
	expect(refreshed.length).toBeLessThan(8);
	expect(state.ended).toBe(true);
	const before = refreshed.length;
	await settled();
	expect(refreshed.length).toBe(before);
});
