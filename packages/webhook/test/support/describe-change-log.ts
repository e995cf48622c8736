import { NOW } from 'product-reviews-test-support/clock';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChangeLog } from '../../src/index.js';
import { AT_MOST, changeOf, collecting, QUIET } from './collecting.js';

/**
 * What every log of changes has to do, by itself and with a collector.
 *
 * @param open a log that is empty, anew for each test.
 * @param knowsEvents whether it remembers the ids of events.
 */
export function describeChangeLog(
	name: string,
	open: () => ChangeLog | Promise<ChangeLog>,
	{ knowsEvents }: { readonly knowsEvents: boolean },
): void {
	const openForTest = async () => {
		const log = await open();
		onTestFinished(() => log.close());
		return log;
	};

	const testEvents: (title: string, body: () => Promise<void>) => void = knowsEvents ? test : () => {};

	describe(`${name} by itself`, () => {
		test('has nothing that waits at first', async () => {
			const log = await openForTest();
			expect(await log.waiting()).toBeUndefined();
			expect(await log.count()).toEqual({ products: 0, all: false });
		});

		test('merges changes of the same product', async () => {
			const log = await openForTest();
			expect(await log.record(changeOf(['a', 'b'], NOW))).toBe(true);
			expect(await log.record(changeOf(['b', 'c'], NOW + 5))).toBe(true);
			const waiting = await log.waiting();
			expect(waiting?.pids.toSorted()).toEqual(['a', 'b', 'c']);
			expect(waiting).toMatchObject({ all: false, firstAt: NOW, lastAt: NOW + 5 });
		});

		test('takes changes that come together and in disorder', async () => {
			const log = await openForTest();
			const times = [7, 3, 9, 1, 5];
			await Promise.all(times.map((time) => log.record(changeOf(['a', `p-${time}`], NOW + time))));
			const waiting = await log.waiting();
			expect(waiting?.pids).toHaveLength(6);
			expect(waiting?.lastAt).toBe(NOW + 9);
		});

		test('knows that anything may have changed, beside the products', async () => {
			const log = await openForTest();
			await log.record(changeOf(['a'], NOW));
			await log.record(changeOf('all', NOW));
			expect(await log.waiting()).toMatchObject({ pids: ['a'], all: true });
		});

		test('counts the products, and says whether it is all', async () => {
			const log = await openForTest();
			await log.record(changeOf(['a', 'b'], NOW));
			expect(await log.count()).toEqual({ products: 2, all: false });
			await log.record(changeOf('all', NOW));
			expect(await log.count()).toEqual({ products: 2, all: true });
		});

		test('keeps odd ids as they are', async () => {
			const log = await openForTest();
			const pids = ['__proto__', 'Größe', '🧦', "o'clock", 'a\u0000b', ' ', '007', 'A', 'a', 'x'.repeat(500)];
			await log.record(changeOf(pids, NOW));
			expect((await log.waiting())?.pids.toSorted()).toEqual(pids.toSorted());
		});

		test('forgets what was rebuilt', async () => {
			const log = await openForTest();
			await log.record(changeOf(['a', 'b'], NOW));
			await log.record(changeOf('all', NOW));
			await log.settle((await log.waiting())?.upTo ?? 0, NOW + 10);
			expect(await log.waiting()).toBeUndefined();
		});

		test('keeps what came in the meantime, of the same product too, as if it came when the rebuild began', async () => {
			const log = await openForTest();
			await log.record(changeOf(['a', 'b'], NOW));
			const before = await log.waiting();
			await log.record(changeOf(['b', 'c'], NOW + 20));
			await log.settle(before?.upTo ?? 0, NOW + 10);
			const after = await log.waiting();
			expect(after?.pids.toSorted()).toEqual(['b', 'c']);
			expect(after).toMatchObject({ firstAt: NOW + 10, lastAt: NOW + 20, all: false });
		});

		test('settling twice takes away nothing new', async () => {
			const log = await openForTest();
			await log.record(changeOf(['a', 'b', 'c'], NOW));
			const before = await log.waiting();
			await log.settle(before?.upTo ?? 0, NOW + 10);
			await log.record(changeOf(['d'], NOW + 20));
			// A second receiver of the same log, or a rebuild that took long.
			await log.settle(before?.upTo ?? 0, NOW + 15);
			expect((await log.waiting())?.pids).toEqual(['d']);
		});

		test('holds 150,000 products', async () => {
			const log = await openForTest();
			for (let start = 0; start < 150_000; start += 50_000) {
				const pids = Array.from({ length: 50_000 }, (_, index) => `p-${start + index}`);
				await log.record(changeOf(pids, NOW + start));
			}
			const waiting = await log.waiting();
			expect(waiting?.pids).toHaveLength(150_000);
			expect(await log.count()).toEqual({ products: 150_000, all: false });
			expect(waiting).toMatchObject({ firstAt: NOW, lastAt: NOW + 100_000 });
		});

		testEvents('says of an event that it was written before', async () => {
			const log = await openForTest();
			expect(await log.record(changeOf(['a'], NOW, 'same'))).toBe(true);
			expect(await log.record(changeOf(['b'], NOW + 1, 'same'))).toBe(false);
			expect((await log.waiting())?.pids).toEqual(['a']);
			await log.settle((await log.waiting())?.upTo ?? 0, NOW + 10);
			expect(await log.record(changeOf(['a'], NOW + 60_000, 'same'))).toBe(false);
			expect(await log.waiting()).toBeUndefined();
		});

		test('takes every event that has no id', async () => {
			const log = await openForTest();
			const change = { ...changeOf(['a'], NOW), id: undefined };
			expect(await Promise.all([log.record(change), log.record(change)])).toEqual([true, true]);
		});
	});

	describe(`a collector with ${name}`, () => {
		const start = async () => collecting(await open());

		test('rebuilds after a quiet time, once for all changes', async () => {
			const { clock, add, rebuilds } = await start();
			await add(['a']);
			await clock.advance(20_000);
			await add(['b', 'a']);
			await clock.advance(QUIET - 1);
			expect(rebuilds).toEqual([]);
			await clock.advance(1);
			expect(rebuilds).toMatchObject([{ what: ['a', 'b'], at: 20_000 + QUIET }]);
		});

		test('rebuilds at the latest so long after the first change, while others keep coming', async () => {
			const { clock, add, rebuilds } = await start();
			for (let second = 0; second < 320; second += 10) {
				await add([`p-${second}`]);
				await clock.advance(10_000);
			}
			expect(rebuilds).toHaveLength(1);
			expect(rebuilds[0]).toMatchObject({ at: AT_MOST });
			expect(rebuilds[0]?.what).toHaveLength(30);
		});

		test('asks for everything where one event says anything may have changed', async () => {
			const { clock, add, last, rebuilds } = await start().then(async (all) => {
				await all.add(['a']);
				await all.add('all');
				await all.add(['b']);
				await all.clock.advance(QUIET);
				return all;
			});
			expect(rebuilds).toMatchObject([{ what: 'all' }]);
			await last.succeed();
			await add(['c']);
			await clock.advance(QUIET);
			expect(rebuilds.at(-1)?.what).toEqual(['c']);
		});

		test('rebuilds exactly once more for all that came during a rebuild', async () => {
			const collected = await start();
			const { clock, add, rebuilds } = collected;
			await add(['a']);
			await clock.advance(QUIET);
			for (const pid of ['b', 'a', 'c']) {
				await add([pid]);
				await clock.advance(40_000);
			}
			expect(rebuilds).toHaveLength(1);
			await collected.last.succeed();
			await clock.advance(QUIET);
			expect(rebuilds).toHaveLength(2);
			expect(collected.last.what).toEqual(['a', 'b', 'c']);
			await collected.last.succeed();
			await clock.advance(10 * AT_MOST);
			expect(rebuilds).toHaveLength(2);
			expect(clock.timers).toBe(0);
		});

		test('tries a failed rebuild again with longer and longer pauses; its products stay marked', async () => {
			const collected = await start();
			const { clock, add, rebuilds } = collected;
			await add(['a']);
			await clock.advance(QUIET);
			const pauses = [];
			for (let failure = 0; failure < 9; failure += 1) {
				const { at } = collected.last;
				await collected.last.fail(new Error('Disk full.'));
				expect((await collected.collector.status()).waiting.products).toBe(1);
				await clock.advance(600_000);
				expect(rebuilds).toHaveLength(failure + 2);
				expect(collected.last.what).toEqual(['a']);
				pauses.push(collected.last.at - at);
				// The next failure is at the time of this rebuild.
				await clock.advance(0);
			}
			expect(pauses[0]).toBe(10_000);
			expect(collected.lines.filter((line) => line.includes('Disk full.'))).toHaveLength(9);
			expect(
				collected.lines.filter((line) => /Retrying in/.test(line)).map((line) => line.slice(-9)),
			).toEqual([
				'n 10.0 s.',
				'n 20.0 s.',
				'n 40.0 s.',
				'n 80.0 s.',
				' 160.0 s.',
				' 320.0 s.',
				' 600.0 s.',
				' 600.0 s.',
				' 600.0 s.',
			]);
		});

		test('merges what came meanwhile into the next try, and does not hurry it', async () => {
			const collected = await start();
			const { clock, add, rebuilds } = collected;
			await add(['a']);
			await clock.advance(QUIET);
			for (let failure = 0; failure < 5; failure += 1) {
				await collected.last.fail('no');
				await clock.advance(10_000 * 2 ** failure);
			}
			await collected.last.fail('no');
			await add(['b']);
			await clock.advance(319_999);
			expect(rebuilds).toHaveLength(6);
			await clock.advance(1);
			expect(collected.last.what).toEqual(['a', 'b']);
			await collected.last.succeed();
			// After success the pauses begin anew.
			await add(['c']);
			await clock.advance(QUIET);
			await collected.last.fail('no');
			await clock.advance(10_000);
			expect(rebuilds).toHaveLength(9);
		});

		test('rebuilds what an earlier process left', async () => {
			const log = await open();
			await log.record(changeOf(['left'], NOW - AT_MOST));
			const { clock, collector, rebuilds } = collecting(log);
			await collector.start();
			await clock.advance(0);
			expect(rebuilds).toMatchObject([{ what: ['left'], at: 0 }]);
		});

		test('is not stopped by a change from the future', async () => {
			const log = await open();
			await log.record(changeOf(['left'], NOW + 365 * 86_400_000));
			const { clock, collector, rebuilds } = collecting(log);
			await collector.start();
			await clock.advance(QUIET);
			expect(rebuilds).toHaveLength(1);
		});

		test('says what waits and what was done', async () => {
			const collected = await start();
			const { clock, add, collector } = collected;
			expect(await collector.status()).toEqual({
				waiting: { products: 0, all: false },
				isRebuilding: false,
				nextRebuildAt: undefined,
				lastRebuild: undefined,
				counts: { changes: 0, rebuilds: 0, failures: 0 },
			});
			await add(['a', 'b']);
			expect(await collector.status()).toMatchObject({
				waiting: { products: 2, all: false },
				nextRebuildAt: NOW + QUIET,
			});
			await clock.advance(QUIET);
			expect(await collector.status()).toMatchObject({ isRebuilding: true, nextRebuildAt: undefined });
			await clock.advance(5_000);
			await collected.last.succeed();
			expect(await collector.status()).toEqual({
				waiting: { products: 0, all: false },
				isRebuilding: false,
				nextRebuildAt: undefined,
				lastRebuild: { startedAt: NOW + QUIET, endedAt: NOW + QUIET + 5_000, products: 2, all: false },
				counts: { changes: 1, rebuilds: 1, failures: 0 },
			});
			expect(collected.lines).toEqual([
				'Rebuild for 2 products started.',
				'Rebuild for 2 products finished in 5.0 s.',
			]);
		});

		testEvents('does not act on an event twice', async () => {
			const { clock, add, rebuilds } = await start();
			expect(await add(['a'], 'same')).toBe(true);
			await clock.advance(20_000);
			expect(await add(['a'], 'same')).toBe(false);
			await clock.advance(10_000);
			expect(rebuilds).toMatchObject([{ at: QUIET }]);
		});
	});
}
