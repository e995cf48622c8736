import { NOW } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { type ChangeLog, type CollectorOptions, createMemoryLog } from '../../../src/index.js';
import { AT_MOST, changeOf, collecting, QUIET } from '../../support/collecting.js';

const collect = (options?: Partial<CollectorOptions>) => collecting(createMemoryLog(), options);

/** A collector whose first rebuild runs, for a product. */
async function rebuilding(options?: Partial<CollectorOptions>, log = createMemoryLog()) {
	const collected = collecting(log, options);
	await collected.add(['a']);
	await collected.clock.advance(options?.debounce ?? QUIET);
	return collected;
}

const fails = () => {
	throw new Error('The log is full.');
};

describe('changes', () => {
	test('start one rebuild after a quiet time', async () => {
		const { clock, add, rebuilds } = collect();
		await add(['a']);
		await clock.advance(20_000);
		await add(['b', 'a']);
		// A timer of a machine may go off early.
		clock.early = 2;
		await clock.advance(QUIET - 1);
		expect(rebuilds).toEqual([]);
		await clock.advance(1);
		expect(rebuilds).toMatchObject([{ what: ['a', 'b'], at: 20_000 + QUIET }]);
	});

	test('start one so long after the first at the latest, while others keep coming', async () => {
		const { clock, add, rebuilds } = collect();
		for (let second = 0; second < 320; second += 10) {
			await add([`p-${second}`]);
			expect(clock.timers).toBeLessThanOrEqual(1);
			await clock.advance(10_000);
		}
		expect(rebuilds).toMatchObject([{ at: AT_MOST }]);
		expect(rebuilds[0]?.what).toHaveLength(30);
	});

	test('of anything start one for everything, and the next one is for products again', async () => {
		const collected = await rebuilding();
		const { clock, add, rebuilds } = collected;
		await collected.last.succeed();
		for (const what of [['a'], 'all', ['b']] as const) await add(what);
		await clock.advance(QUIET);
		await collected.last.succeed();
		await add(['c']);
		await clock.advance(QUIET);
		expect(rebuilds.map(({ what }) => what)).toEqual([['a'], 'all', ['c']]);
	});

	test('during a rebuild start exactly one more', async () => {
		const collected = await rebuilding();
		const { clock, add, rebuilds } = collected;
		for (const pid of ['b', 'a', 'c']) {
			await add([pid]);
			await clock.advance(40_000);
		}
		expect(rebuilds).toHaveLength(1);
		await collected.last.succeed();
		await clock.advance(QUIET);
		await collected.last.succeed();
		await clock.advance(10 * AT_MOST);
		expect(rebuilds.map(({ what }) => what)).toEqual([['a'], ['a', 'b', 'c']]);
		expect(clock.timers).toBe(0);
	});

	test.each([
		['long ago', -AT_MOST, 0],
		['a moment ago', -20_000, 10_000],
		['in the future', 365 * 86_400_000, QUIET],
	])('that an earlier process left %s start one when they are due', async (_when, age, at) => {
		const log = createMemoryLog();
		await log.record(changeOf(['left'], NOW + age));
		const { clock, collector, rebuilds } = collecting(log);
		await collector.start();
		await clock.advance(QUIET);
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
			const pause = nextRebuildAt - collected.clock.now();
			const said = `Rebuild failed: Disk full. Retrying in ${(pause / 1_000).toFixed(1)} s.`;
			expect(collected.lines.at(-1)).toBe(said);
			pauses.push(pause / 1_000);
			await collected.clock.advance(pause);
			expect(collected.rebuilds).toHaveLength(failure + 2);
			expect(collected.last.what).toEqual(['a']);
		}
		expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
		// After success the pauses begin anew.
		await collected.last.succeed();
		await collected.add(['c']);
		await collected.clock.advance(QUIET);
		await collected.last.fail('no');
		await collected.clock.advance(10_000);
		expect(collected.rebuilds).toHaveLength(12);
	});

	test('takes what came meanwhile into the next try, and is not hurried by it', async () => {
		const collected = await rebuilding();
		for (const pause of [10_000, 20_000, 40_000]) {
			await collected.last.fail('no');
			await collected.clock.advance(pause);
		}
		await collected.last.fail('no');
		await collected.add(['b']);
		await collected.clock.advance(79_999);
		expect(collected.rebuilds).toHaveLength(4);
		await collected.clock.advance(1);
		expect(collected.last.what).toEqual(['a', 'b']);
	});

	test('at once, and with what is no error, is a failure as any other', async () => {
		const { collector, lines } = await rebuilding({
			rebuild: () => {
				throw 'no shell';
			},
		});
		expect(lines.at(-1)).toBe('Rebuild failed: no shell. Retrying in 10.0 s.');
		const lastRebuild = { error: 'no shell.', products: 1 };
		expect(await collector.status()).toMatchObject({ waiting: { products: 1 }, lastRebuild });
	});
});

describe('without quiet time', () => {
	test('the first change starts a rebuild at once, and all that comes during it one more', async () => {
		const collected = await rebuilding({ debounce: 0 });
		const { add, clock, rebuilds } = collected;
		for (const pid of ['b', 'c', 'a', 'b']) {
			await add([pid]);
			await clock.advance(100);
		}
		await collected.last.succeed();
		await clock.advance(0);
		await collected.last.succeed();
		await clock.advance(5_000);
		await add(['d']);
		await clock.advance(0);
		expect(rebuilds.map(({ what, at }) => [what, at])).toEqual([
			[['a'], 0],
			[['a', 'b', 'c'], 400],
			[['d'], 5_400],
		]);
	});

	test('a failure is retried with growing pauses, and what is new does not wait for them', async () => {
		const collected = await rebuilding({ debounce: 0 });
		const { add, clock, rebuilds } = collected;
		for (const pause of [10_000, 5_000, 40_000]) {
			await collected.last.fail(new Error('The command ended with 1.'));
			await clock.advance(pause);
			if (pause === 5_000) await add(['b']);
			await clock.advance(0);
		}
		expect(rebuilds.map(({ what, at }) => [what, at])).toEqual([
			[['a'], 0],
			[['a'], 10_000],
			[['a', 'b'], 15_000],
			[['a', 'b'], 55_000],
		]);
	});
});

test('the status says what waits and what was done, and the log of it is for people', async () => {
	const collected = collect();
	const { clock, add, collector, lines } = collected;
	const nothing = {
		...{ waiting: { products: 0, all: false }, isRebuilding: false },
		...{ nextRebuildAt: undefined, lastRebuild: undefined },
		counts: { changes: 0, rebuilds: 0, failures: 0 },
	};
	await collector.start();
	expect(await collector.status()).toEqual(nothing);
	expect(clock.timers).toBe(0);
	await add(['a', 'b']);
	const waiting = { products: 2, all: false };
	expect(await collector.status()).toMatchObject({ waiting, nextRebuildAt: NOW + QUIET });
	await clock.advance(QUIET);
	expect(await collector.status()).toMatchObject({ isRebuilding: true, nextRebuildAt: undefined });
	await clock.advance(5_000);
	await collected.last.succeed();
	expect(await collector.status()).toEqual({
		...nothing,
		lastRebuild: { startedAt: NOW + QUIET, endedAt: NOW + QUIET + 5_000, ...waiting },
		counts: { changes: 1, rebuilds: 1, failures: 0 },
	});
	expect(lines).toEqual(['Rebuild for 2 products started.', 'Rebuild for 2 products finished in 5.0 s.']);
});

test('a listener that throws stops nothing', async () => {
	const collected = await rebuilding({ onLog: fails });
	collected.last.log('A line of the build.');
	await collected.last.fail('no');
	await collected.clock.advance(10_000);
	await collected.last.succeed();
	expect((await collected.collector.status()).counts).toMatchObject({ rebuilds: 1, failures: 1 });
});

describe('a log of changes that is broken', () => {
	/** A log in memory of which parts can be broken. */
	function breakableLog() {
		const broken = new Set<string>();
		const get = (log: ChangeLog, name: keyof ChangeLog) =>
			broken.has(name) ? async () => fails() : log[name];
		return { broken, log: new Proxy(createMemoryLog(), { get }) };
	}

	test('rejects the change, so that the sender tries again, and the start', async () => {
		const { log, broken } = breakableLog();
		const { clock, add, collector, rebuilds } = collecting(log);
		broken.add('record').add('waiting');
		await expect(add(['a'])).rejects.toThrow('The log is full.');
		await expect(collector.start()).rejects.toThrow('The log is full.');
		await clock.advance(QUIET);
		expect(rebuilds).toEqual([]);
	});

	test.each(['waiting', 'settle'])('is tried again later, with the rebuild: %s', async (name) => {
		const { log, broken } = breakableLog();
		const collected = await rebuilding({}, log);
		broken.add(name);
		await collected.last.succeed();
		expect(collected.lines.join()).toMatch(/The log is full.*Retrying in/);
		await collected.add(['b']);
		broken.delete(name);
		await collected.clock.advance(600_000);
		await collected.last.succeed();
		await collected.clock.advance(600_000);
		const second = name === 'settle' ? ['a', 'b'] : ['b'];
		expect(collected.rebuilds.map(({ what }) => what)).toEqual([['a'], second]);
	});
});

describe('close', () => {
	test('starts no more rebuilds', async () => {
		const { clock, add, collector, rebuilds } = collect();
		await add(['a']);
		await collector.close(1_000);
		expect(clock.timers).toBe(0);
		await clock.advance(10 * QUIET);
		expect(rebuilds).toEqual([]);
	});

	test('waits for the rebuild that runs, closes the log, and leaves what came meanwhile marked', async () => {
		const memory = createMemoryLog();
		const events: string[] = [];
		const log = { ...memory, close: async () => void events.push('log closed') };
		const collected = await rebuilding({}, log);
		await collected.add(['b']);
		const closed = collected.collector.close(60_000).then(() => events.push('closed'));
		await collected.clock.advance(59_999);
		expect([events, collected.last.signal.aborted]).toEqual([[], false]);
		await collected.last.succeed();
		await closed;
		expect(events).toEqual(['log closed', 'closed']);
		await collected.clock.advance(10 * QUIET);
		expect(collected.rebuilds).toHaveLength(1);
		expect((await memory.waiting())?.pids).toEqual(['b']);
	});

	test.each([[[60_000]], [[60_000, 0]]])(
		'ends the rebuild after its patience, and a second one sooner (%j); the products stay marked',
		async (patiences) => {
			const memory = createMemoryLog();
			const collected = await rebuilding({}, memory);
			const closed = Promise.all(patiences.map((patience) => collected.collector.close(patience)));
			await collected.clock.advance(Math.min(...patiences));
			await closed;
			expect(collected.last.signal.aborted).toBe(true);
			expect((await memory.waiting())?.pids).toEqual(['a']);
		},
	);
});

test.each(['debounce', 'maxWait', 'retryAfter', 'retryAtMost'])('%s has to be a length of time', (name) => {
	for (const value of [Number.NaN, -1, '30s', Infinity]) {
		const options = { [name]: value } as Partial<CollectorOptions>;
		expect(() => collect(options)).toThrow(expect.objectContaining({ name: 'WebhookConfigurationError' }));
	}
});
