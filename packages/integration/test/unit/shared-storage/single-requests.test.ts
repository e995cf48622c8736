import { createClock } from 'product-reviews-test-support/clock';
import type { Driver } from 'unstorage';
import { expect, test } from 'vitest';
import { startInstance } from '../../support/unit/storage.js';

/** A driver that takes one request a key, which is answered after some time. @param lost requests that never are, by number */
function createSlow(clock: ReturnType<typeof createClock>, milliseconds: number, lost: number[] = []) {
	let [requests, running, most] = [0, 0, 0];
	const request = async () => {
		const number = ++requests;
		most = Math.max(most, ++running);
		await new Promise<void>((resolve) => {
			if (!lost.includes(number)) clock.after(milliseconds, resolve);
		});
		running -= 1;
		return null;
	};
	const driver = { name: 'slow', getItem: request, setItem: request } as unknown as Driver;
	return { driver, requests: () => requests, most: () => most };
}

const PIDS = Array.from({ length: 100 }, (_, index) => `p-${index}`);

test('at most 32 requests run at once', async () => {
	const clock = createClock();
	const slow = createSlow(clock, 10);
	const { storage, after } = startInstance(slow, { clock });
	expect((await after(storage.read('reviews', PIDS))).size).toBe(100);
	expect([slow.requests(), slow.most()]).toEqual([201, 32]);
});

test('a server waits 100 ms for all of them, a build as long for each', async () => {
	const clock = createClock();
	const server = startInstance(createSlow(clock, 90), { clock });
	expect((await server.after(server.storage.read('reviews', PIDS))).size).toBe(0);
	const build = startInstance(createSlow(clock, 90), { clock, waitsForEach: true });
	expect((await build.after(build.storage.read('reviews', PIDS))).size).toBe(100);
	expect(build.warnings).toEqual([]);
});

test('one that is lost is not waited for any longer than that', async () => {
	const clock = createClock();
	const { storage, warnings } = startInstance(createSlow(clock, 90, [200]), { clock, waitsForEach: true });
	let ended = 0;
	const read = storage.read('reviews', PIDS).then(({ size }) => {
		ended = clock.now();
		return size;
	});
	const startedAt = clock.now();
	await clock.advance(2_000);
	expect(await read).toBe(0);
	expect(ended - startedAt).toBe(7 * 90 + 100);
	expect(warnings).toHaveLength(1);
});
