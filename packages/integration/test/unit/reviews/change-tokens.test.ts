import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Driver } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { expect, test, vi } from 'vitest';
import { openStorage } from '../../support/unit/storage.js';

const PIDS = ['a', 'b', 'c'];
const SECOND = 1_000;

/** A storage in memory that is as slow as a test says, and may refuse what is written. */
function createSlowDriver() {
	const items = memory();
	const state = { delays: [] as number[], refuses: false };
	const wait = async () => {
		for (let turns = state.delays.shift() ?? 0; turns > 0; turns--) await undefined;
	};
	const driver: Driver = {
		...items,
		async getItem(key, options) {
			await wait();
			const found = await items.getItem(key, options);
			await wait();
			return found;
		},
		async setItem(key, value, options) {
			await wait();
			if (state.refuses) throw new Error('connect ECONNREFUSED');
			await items.setItem?.(key, value, options);
			await wait();
		},
	};
	return { driver, state };
}

const pid = fc.constantFrom(...PIDS);
const changed = fc.oneof(
	fc.record({ pids: fc.uniqueArray(pid, { minLength: 1 }) }),
	fc.constant({ pids: undefined }),
);
const step = fc.record({ who: fc.nat(2), does: fc.oneof(changed, fc.constant('views' as const)) });

test('whoever saw a product before it changed, or all did, learns of it, whatever happened at once', async () => {
	vi.useFakeTimers({ toFake: ['performance'] });
	const history = fc.record({
		steps: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
		delays: fc.array(fc.nat(20), { maxLength: 200 }),
	});
	await fc.assert(
		fc.asyncProperty(history, async ({ steps, delays }) => {
			const { driver, state } = createSlowDriver();
			const servers = PIDS.map(() => openStorage(driver, (message) => expect.fail(message)));
			const views = (server: (typeof servers)[number]) => Promise.all(PIDS.map((one) => server.check(one)));
			await Promise.all(servers.map(views));
			state.delays = [...delays];
			for (const atOnce of steps) {
				const seen = servers.map((server) => PIDS.map((one) => server.seenOf(one)));
				vi.advanceTimersByTime(SECOND);
				await Promise.all(
					atOnce.map(({ who, does }) => {
						const server = servers[who] as (typeof servers)[number];
						return does === 'views' ? views(server) : server.invalidate(does.pids);
					}),
				);
				// A reading that is under way may be older than the change.
				for (let seconds = 0; seconds < 2; seconds++) {
					vi.advanceTimersByTime(SECOND);
					await Promise.all(servers.map(views));
					await turn();
				}
				await Promise.all(servers.map(views));
				const changes = atOnce.flatMap(({ does }) => (does === 'views' ? [] : (does.pids ?? PIDS)));
				for (const [index, server] of servers.entries()) {
					const known = PIDS.filter((one, at) => server.isChanged(one, seen[index]?.[at] ?? ''));
					expect(known).toEqual(PIDS.filter((one) => changes.includes(one)));
				}
			}
		}),
		{ numRuns: 300 },
	);
	vi.useRealTimers();
});

test('an instance knows its own change at once, even where the storage is read meanwhile, or refuses it', async () => {
	const { driver, state } = createSlowDriver();
	const storage = openStorage(driver, () => {});
	await storage.check('a');
	const before = storage.seenOf('a');
	state.refuses = true;
	state.delays = [0, 50];
	const reading = storage.read('reviews', ['a']);
	expect(await storage.invalidate(['a'])).toBe(false);
	await reading;
	const own = storage.seenOf('a');
	expect(own).not.toBe(before);
	state.refuses = false;
	expect(await storage.invalidate([])).toBe(true);
	await storage.read('reviews', ['a']);
	// It writes the same token again, so that nothing is asked twice.
	expect(storage.seenOf('a')).toBe(own);
});

test('what nobody writes as a token is none', async () => {
	const { driver } = createSlowDriver();
	const [one, other] = [openStorage(driver, () => {}), openStorage(driver, () => {})];
	await one.invalidate(['a']);
	const [key] = await driver.getKeys('', {});
	for (const poison of ['', 'null', '{}', 'c-<script>', `c-${'x'.repeat(100_000)}`]) {
		await driver.setItem?.(key ?? '', poison, {});
		await other.read('reviews', ['a']);
		expect(other.seenOf('a')).toBe(' ');
	}
});
