import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test } from 'vitest';
import {
	type ChangeLog,
	type CollectorOptions,
	createMemoryLog,
	WebhookConfigurationError,
} from '../../../src/index.js';
import { changeOf, collecting, QUIET } from '../../support/collecting.js';

/** A log in memory of which parts can be broken. */
function breakableLog() {
	const log = createMemoryLog();
	const broken = new Set<keyof ChangeLog>();
	const guard = <Name extends keyof ChangeLog>(name: Name) =>
		((...args: Parameters<Required<ChangeLog>[Name]>) =>
			broken.has(name)
				? Promise.reject(new Error(`${name} is broken`))
				: (log[name] as (...all: unknown[]) => unknown)(...args)) as ChangeLog[Name];
	return {
		broken,
		log: {
			record: guard('record'),
			count: guard('count'),
			waiting: guard('waiting'),
			settle: guard('settle'),
			close: guard('close'),
		} satisfies ChangeLog,
	};
}

describe('timers', () => {
	test('that go off early do not start a rebuild early, and lose nothing', async () => {
		const { clock, add, rebuilds } = collecting(createMemoryLog());
		clock.early = 2;
		await add(['a']);
		await clock.advance(QUIET - 1);
		expect(rebuilds).toEqual([]);
		await clock.advance(1);
		expect(rebuilds).toMatchObject([{ at: QUIET }]);
	});

	test('are one at a time, however many changes come', async () => {
		const { clock, add } = collecting(createMemoryLog());
		for (let index = 0; index < 50; index += 1) await add([`p-${index}`]);
		expect(clock.timers).toBe(1);
	});

	test('are none where nothing waits', async () => {
		const { clock, collector } = collecting(createMemoryLog());
		await collector.start();
		expect(clock.timers).toBe(0);
	});
});

describe('a log of changes that is broken', () => {
	test('rejects the change, so that the sender tries again', async () => {
		const { log, broken } = breakableLog();
		broken.add('record');
		const { clock, add, rebuilds } = collecting(log);
		await expect(add(['a'])).rejects.toThrow('record is broken');
		await clock.advance(QUIET);
		expect(rebuilds).toEqual([]);
	});

	test('when it is read is read again later', async () => {
		const { log, broken } = breakableLog();
		const { clock, add, rebuilds, lines } = collecting(log);
		await add(['a']);
		broken.add('waiting');
		await clock.advance(QUIET);
		expect(lines).toEqual([
			expect.stringContaining('waiting is broken'),
			expect.stringContaining('Retrying in'),
		]);
		await clock.advance(60_000);
		broken.delete('waiting');
		await clock.advance(600_000);
		expect(rebuilds).toMatchObject([{ what: ['a'] }]);
	});

	test('when it is settled: the rebuild is done once more', async () => {
		const { log, broken } = breakableLog();
		const collected = collecting(log);
		await collected.add(['a']);
		await collected.clock.advance(QUIET);
		broken.add('settle');
		await collected.last.succeed();
		expect(collected.lines.at(-1)).toContain('settle is broken');
		broken.delete('settle');
		await collected.clock.advance(10_000);
		expect(collected.rebuilds).toHaveLength(2);
		await collected.last.succeed();
		await collected.clock.advance(600_000);
		expect(collected.rebuilds).toHaveLength(2);
	});

	test('at the start is told to the caller', async () => {
		const { log, broken } = breakableLog();
		broken.add('waiting');
		await expect(collecting(log).collector.start()).rejects.toThrow('waiting is broken');
	});
});

test('a listener that throws stops nothing', async () => {
	const collected = collecting(createMemoryLog(), {
		onLog: () => {
			throw new Error('The log is full.');
		},
	});
	const { clock, add, rebuilds } = collected;
	await add(['a']);
	await clock.advance(QUIET);
	await collected.last.fail('no');
	await clock.advance(10_000);
	await collected.last.succeed();
	expect(rebuilds).toHaveLength(2);
	expect((await collected.collector.status()).counts).toMatchObject({ rebuilds: 1, failures: 1 });
	await add(['b']);
	await clock.advance(QUIET);
	expect(rebuilds).toHaveLength(3);
});

test('a listener given to the rebuild that throws stops nothing either', async () => {
	let done = 0;
	const { clock, add } = collecting(createMemoryLog(), {
		onLog: () => {
			throw new Error('The log is full.');
		},
		rebuild: async ({ log }) => {
			log('A line of the build.');
			done += 1;
		},
	});
	await add(['a']);
	await clock.advance(QUIET);
	expect(done).toBe(1);
});

test('a rebuild that throws at once is a failure as any other', async () => {
	const { clock, add, collector, lines } = collecting(createMemoryLog(), {
		rebuild: () => {
			throw 'no shell';
		},
	});
	await add(['a']);
	await clock.advance(QUIET);
	expect(lines.at(-1)).toBe('Rebuild failed: no shell. Retrying in 10.0 s.');
	expect(await collector.status()).toMatchObject({
		waiting: { products: 1 },
		lastRebuild: { error: 'no shell.', products: 1 },
	});
});

test('a change that is written while the log is read after a rebuild is not forgotten', async () => {
	const memory = createMemoryLog();
	let isSlow = false;
	let answer = () => {};
	const log: ChangeLog = {
		...memory,
		async waiting() {
			const waiting = await memory.waiting();
			if (isSlow) await new Promise<void>((resolve) => (answer = resolve));
			return waiting;
		},
	};
	const collected = collecting(log);
	const { clock, add, rebuilds } = collected;
	await add(['a']);
	await clock.advance(QUIET);
	isSlow = true;
	await collected.last.succeed();
	clock.early = 5;
	await add(['b']);
	isSlow = false;
	answer();
	await settled();
	await clock.advance(QUIET);
	expect(rebuilds).toHaveLength(2);
	expect(collected.last.what).toEqual(['b']);
});

test('an older change of another receiver is not kept waiting by a newer one of this', async () => {
	const memory = createMemoryLog();
	const { clock, collector, add, rebuilds } = collecting(memory);
	await add(['new']);
	await memory.record(changeOf(['old'], clock.now() - 290_000));
	await collector.start();
	await clock.advance(10_000);
	expect(rebuilds).toMatchObject([{ what: ['new', 'old'] }]);
});

describe('close', () => {
	test('starts no more rebuilds', async () => {
		const { clock, add, collector, rebuilds } = collecting(createMemoryLog());
		await add(['a']);
		await collector.close(1_000);
		expect(clock.timers).toBe(0);
		await clock.advance(10 * QUIET);
		expect(rebuilds).toEqual([]);
	});

	test('waits for the rebuild that runs, and closes the log after it', async () => {
		const memory = createMemoryLog();
		const events: string[] = [];
		const collected = collecting({ ...memory, close: async () => void events.push('log closed') });
		await collected.add(['a']);
		await collected.clock.advance(QUIET);
		const closed = collected.collector.close(60_000).then(() => events.push('closed'));
		await collected.clock.advance(59_999);
		expect(events).toEqual([]);
		expect(collected.last.signal.aborted).toBe(false);
		await collected.last.succeed();
		await closed;
		expect(events).toEqual(['log closed', 'closed']);
		expect(await memory.waiting()).toBeUndefined();
		expect(collected.clock.timers).toBe(0);
	});

	test('ends the rebuild after its patience; the products stay marked', async () => {
		const memory = createMemoryLog();
		const collected = collecting(memory);
		await collected.add(['a']);
		await collected.clock.advance(QUIET);
		const closed = collected.collector.close(60_000);
		await collected.clock.advance(60_000);
		await closed;
		expect(collected.last.signal.aborted).toBe(true);
		expect((await memory.waiting())?.pids).toEqual(['a']);
	});

	test('a second close with less patience ends it sooner', async () => {
		const collected = collecting(createMemoryLog());
		await collected.add(['a']);
		await collected.clock.advance(QUIET);
		const first = collected.collector.close(60_000);
		const second = collected.collector.close(0);
		await collected.clock.advance(0);
		await Promise.all([first, second]);
		expect(collected.last.signal.aborted).toBe(true);
	});

	test('what came during the last rebuild stays marked', async () => {
		const memory = createMemoryLog();
		const collected = collecting(memory);
		await collected.add(['a']);
		await collected.clock.advance(QUIET);
		await collected.add(['b']);
		const closed = collected.collector.close(60_000);
		await collected.last.succeed();
		await closed;
		await collected.clock.advance(10 * QUIET);
		expect(collected.rebuilds).toHaveLength(1);
		expect((await memory.waiting())?.pids).toEqual(['b']);
	});
});

describe('a length of time that is none', () => {
	const names = ['quiet', 'atMost', 'retryAfter', 'retryAtMost'] as const;
	test.each(
		names.flatMap((name) => [Number.NaN, -1, '30s', Infinity].map((value) => [name, value] as const)),
	)('%s: %s cannot be configured', (name, value) => {
		const options = { [name]: value } as Partial<CollectorOptions>;
		expect(() => collecting(createMemoryLog(), options)).toThrow(WebhookConfigurationError);
	});
});
