import { NOW } from 'product-reviews-test-support/clock';
import { describe, expect, test, vi } from 'vitest';
import { type ChangeLog, type CollectorOptions, createMemoryLog, type Hold } from '../../../src/index.js';
import { AT_MOST, advance, changeOf, collecting, QUIET } from '../../support/collecting.js';

const collect = (options?: Partial<CollectorOptions>) => collecting(createMemoryLog(), options);

/** A collector whose first rebuild runs, for a product. */
async function rebuilding(options?: Partial<CollectorOptions>, log = createMemoryLog()) {
	const collected = collecting(log, options);
	await collected.add(['a'], options?.debounce ?? QUIET);
	return collected;
}

describe('changes', () => {
	test('start one rebuild after a quiet time', async () => {
		const { add, rebuilds } = collect();
		await add(['a'], 20_000);
		await add(['b', 'a'], QUIET - 1);
		expect(rebuilds).toEqual([]);
		await advance(1);
		expect(rebuilds).toMatchObject([{ what: ['a', 'b'], at: 20_000 + QUIET }]);
	});

	test('start one so long after the first at the latest, while others keep coming', async () => {
		const { add, rebuilds } = collect();
		for (let second = 0; second < 320; second += 10) {
			await add([`p-${second}`]);
			expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
			await advance(10_000);
		}
		expect(rebuilds).toMatchObject([{ at: AT_MOST }]);
		expect(rebuilds[0]?.what).toHaveLength(30);
	});

	test('of anything start one for everything, and the next one is for products again', async () => {
		const collected = await rebuilding();
		await collected.last.succeed();
		for (const what of [['a'], 'all', ['b']] as const) await collected.add(what);
		await advance(QUIET);
		await collected.last.succeed();
		await collected.add(['c'], QUIET);
		expect(collected.rebuilds.map(({ what }) => what)).toEqual([['a'], 'all', ['c']]);
	});

	test('during a rebuild start exactly one more', async () => {
		const collected = await rebuilding();
		for (const pid of ['b', 'a', 'c']) await collected.add([pid], 40_000);
		expect(collected.rebuilds).toHaveLength(1);
		await collected.last.succeed(QUIET);
		await collected.last.succeed(10 * AT_MOST);
		expect(collected.rebuilds.map(({ what }) => what)).toEqual([['a'], ['a', 'b', 'c']]);
		expect(vi.getTimerCount()).toBe(0);
	});

	test.each([
		['long ago', -AT_MOST, 0],
		['a moment ago', -20_000, 10_000],
		['in the future', 365 * 86_400_000, 0],
	])('that an earlier process left %s start one when they are due', async (_when, age, at) => {
		const log = createMemoryLog();
		await log.record(changeOf(['left'], NOW + age));
		const { collector, rebuilds } = collecting(log);
		await collector.start();
		await advance(QUIET);
		expect(rebuilds).toMatchObject([{ what: ['left'], at }]);
	});
});

describe('a rebuild that fails', () => {
	test('is tried again with longer and longer pauses, and its products stay marked', async () => {
		const collected = await rebuilding();
		const pauses = [];
		for (let failure = 0; failure < 9; failure += 1) {
			await collected.last.fail(new Error('Disk full.'));
			const { waiting, nextRebuildAt = 0 } = await collected.collector.status();
			expect(waiting.products).toBe(1);
			const pause = Number(nextRebuildAt) - Date.now();
			const said = `Update failed: Disk full. Retrying in ${(pause / 1_000).toFixed(1)} s.`;
			expect(collected.lines.at(-1)).toBe(said);
			pauses.push(pause / 1_000);
			await advance(pause);
			expect(collected.rebuilds).toHaveLength(failure + 2);
			expect(collected.last.what).toEqual(['a']);
		}
		expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
		// After success the pauses begin anew.
		await collected.last.succeed();
		await collected.add(['c'], QUIET);
		await collected.last.fail('no', 10_000);
		expect(collected.rebuilds).toHaveLength(12);
	});

	test('takes what came meanwhile into the next try, and is not hurried by it', async () => {
		const collected = await rebuilding();
		for (const pause of [10_000, 20_000, 40_000]) await collected.last.fail('no', pause);
		await collected.last.fail('no');
		await collected.add(['b'], 79_999);
		expect(collected.rebuilds).toHaveLength(4);
		await advance(1);
		expect(collected.last.what).toEqual(['a', 'b']);
	});
});

describe('without quiet time', () => {
	test('the first change starts a rebuild at once, and all that comes during it one more', async () => {
		const collected = await rebuilding({ debounce: 0 });
		for (const pid of ['b', 'c', 'a', 'b']) await collected.add([pid], 100);
		await collected.last.succeed(0);
		await collected.last.succeed(5_000);
		await collected.add(['d'], 0);
		expect(collected.rebuilds.map(({ what, at }) => [what, at])).toEqual([
			[['a'], 0],
			[['a', 'b', 'c'], 400],
			[['d'], 5_400],
		]);
	});

	test('a failure is retried with growing pauses, and what is new does not wait for them', async () => {
		const collected = await rebuilding({ debounce: 0 });
		for (const pause of [10_000, 5_000, 40_000]) {
			await collected.last.fail('no', pause);
			if (pause === 5_000) await collected.add(['b']);
			await advance(0);
		}
		expect(collected.rebuilds.map(({ what, at }) => [what, at])).toEqual([
			[['a'], 0],
			[['a'], 10_000],
			[['a', 'b'], 15_000],
			[['a', 'b'], 55_000],
		]);
	});
});

test('the status says what waits and what was done, and the log of it is for people', async () => {
	const { add, collector, lines, rebuilds } = collect();
	const nothing = {
		...{ waiting: { products: 0, all: false }, isRebuilding: false },
		...{ nextRebuildAt: undefined, lastRebuild: undefined },
		counts: { changes: 0, rebuilds: 0, failures: 0 },
	};
	await collector.start();
	expect(await collector.status()).toEqual(nothing);
	expect(vi.getTimerCount()).toBe(0);
	await add(['a', 'b']);
	const waiting = { products: 2, all: false };
	expect(await collector.status()).toMatchObject({ waiting, nextRebuildAt: new Date(NOW + QUIET) });
	await advance(QUIET);
	expect(await collector.status()).toMatchObject({ isRebuilding: true, nextRebuildAt: undefined });
	await advance(5_000);
	await rebuilds[0]?.succeed();
	expect(await collector.status()).toEqual({
		...nothing,
		lastRebuild: { startedAt: new Date(NOW + QUIET), endedAt: new Date(NOW + QUIET + 5_000), ...waiting },
		counts: { changes: 1, rebuilds: 1, failures: 0 },
	});
	expect(lines).toEqual(['Update for 2 products started.', 'Update for 2 products finished in 5.0 s.']);
});

describe('a log of changes that is broken', () => {
	/** A log in memory of which parts can be broken. */
	function breakableLog() {
		const broken = new Set<string>();
		const get = (log: ChangeLog, name: keyof ChangeLog) =>
			broken.has(name) ? () => Promise.reject(new Error('The log is full.')) : log[name];
		return { broken, log: new Proxy(createMemoryLog(), { get }) };
	}

	test('is read again until it can be, and said once', async () => {
		const { log, broken } = breakableLog();
		await log.record(changeOf(['left'], NOW - AT_MOST));
		const { collector, rebuilds, lines } = collecting(log);
		broken.add('waiting');
		await collector.start();
		await advance(10 * QUIET);
		expect(rebuilds).toEqual([]);
		broken.delete('waiting');
		await advance(QUIET);
		expect(rebuilds).toMatchObject([{ what: ['left'] }]);
		await rebuilds[0]?.succeed();
		expect(lines.filter((line) => line.includes('waiting changes'))).toEqual([
			'The waiting changes cannot be used: The log is full. Trying again every 10.0 s.',
			'The waiting changes can be used again.',
		]);
	});

	test('keeps what was rebuilt where it cannot be settled', async () => {
		const { log, broken } = breakableLog();
		const collected = await rebuilding({}, log);
		broken.add('settle');
		await collected.last.succeed();
		expect(collected.lines.at(-1)).toBe('Update failed: The log is full. Retrying in 10.0 s.');
		await collected.add(['b']);
		broken.delete('settle');
		await advance(600_000);
		await collected.last.succeed(600_000);
		expect(collected.rebuilds.map(({ what }) => what)).toEqual([['a'], ['a', 'b']]);
	});
});

describe('receivers that share a log', () => {
	/** A log in memory for several, of which one at a time holds the right to rebuild. */
	function sharedLog() {
		let held: AbortController | undefined;
		const hold = async (): Promise<Hold | undefined> => {
			if (held) return undefined;
			held = new AbortController();
			return {
				lost: held.signal,
				release: async () => {
					held = undefined;
				},
			};
		};
		return { log: { ...createMemoryLog(), hold }, lose: () => held?.abort(new Error('It was cut off.')) };
	}

	test('make one rebuild of what both got, once nothing more came to either', async () => {
		const { log } = sharedLog();
		const [one, other] = [collecting(log), collecting(log)];
		await one.add(['a'], 20_000);
		await other.add(['b'], QUIET - 1);
		expect([...one.rebuilds, ...other.rebuilds]).toEqual([]);
		await advance(1);
		expect([...one.rebuilds, ...other.rebuilds]).toMatchObject([{ what: ['a', 'b'] }]);
	});

	test('rebuild one at a time, and wait in the pause after a failure', async () => {
		const { log } = sharedLog();
		const [one, other] = [await rebuilding({}, log), collecting(log)];
		await other.add(['b'], QUIET);
		await one.last.fail('no', 9_999);
		expect(other.rebuilds).toEqual([]);
		await advance(1);
		expect(one.last.what).toEqual(['a', 'b']);
		await one.last.succeed(AT_MOST);
		expect([one.rebuilds.length, other.rebuilds.length]).toEqual([2, 0]);
	});

	test('look for what one that is gone has left', async () => {
		const { log } = sharedLog();
		const { collector, rebuilds } = collecting(log);
		await collector.start();
		await log.record(changeOf(['left'], NOW));
		await advance(QUIET + 10_000);
		expect(rebuilds).toMatchObject([{ what: ['left'] }]);
	});

	test('hand a rebuild over where the one that runs it is closed', async () => {
		const { log } = sharedLog();
		const [one, other] = [await rebuilding({}, log), collecting(log)];
		await other.collector.start();
		void one.collector.close(0);
		await advance(QUIET);
		expect(other.last.what).toEqual(['a']);
	});

	test('end a rebuild whose right is lost, and try again', async () => {
		const { log, lose } = sharedLog();
		const { last, lines } = await rebuilding({}, log);
		lose();
		await advance(0);
		expect(last.request.signal.aborted).toBe(true);
		expect(lines.at(-1)).toBe('Update failed: It was cut off. Retrying in 10.0 s.');
	});
});

describe('close', () => {
	test('starts no more rebuilds', async () => {
		const { add, collector, rebuilds } = collect();
		await add(['a']);
		await collector.close(1_000);
		expect(vi.getTimerCount()).toBe(0);
		await advance(10 * QUIET);
		expect(rebuilds).toEqual([]);
	});

	test('waits for the rebuild that runs, closes the log, and leaves what came meanwhile marked', async () => {
		const memory = createMemoryLog();
		const events: string[] = [];
		const log = { ...memory, close: async () => void events.push('log closed') };
		const collected = await rebuilding({}, log);
		await collected.add(['b']);
		const closed = collected.collector.close(60_000).then(() => events.push('closed'));
		await advance(59_999);
		expect([events, collected.last.request.signal.aborted]).toEqual([[], false]);
		await collected.last.succeed();
		await closed;
		expect(events).toEqual(['log closed', 'closed']);
		await advance(10 * QUIET);
		expect(collected.rebuilds).toHaveLength(1);
		expect((await memory.waiting())?.pids).toEqual(['b']);
	});

	test.each([[[60_000]], [[60_000, 0]]])(
		'ends the rebuild after its patience, and a second one sooner (%j); the products stay marked',
		async (patiences) => {
			const memory = createMemoryLog();
			const collected = await rebuilding({}, memory);
			const closed = Promise.all(patiences.map((patience) => collected.collector.close(patience)));
			await advance(Math.min(...patiences));
			await closed;
			expect(collected.last.request.signal.aborted).toBe(true);
			expect((await memory.waiting())?.pids).toEqual(['a']);
		},
	);
});

test.each(['debounce', 'maxWait', 'retryAfter'])('%s has to be a length of time', (name) => {
	for (const value of [Number.NaN, -1, '30s', Infinity]) {
		const options = { [name]: value } as Partial<CollectorOptions>;
		expect(() => collect(options)).toThrow(expect.objectContaining({ name: 'WebhookConfigurationError' }));
	}
});
