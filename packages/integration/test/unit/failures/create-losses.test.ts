import { createClock } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { createLosses, holdsReviews, type LossWindow } from '../../../src/failures/create-losses.js';
import { createMemoryStore } from '../../../src/store/memory-store.js';
import { isConfirmedBy, pack, packConfirmed } from '../../../src/store/pack.js';

/** A store of so many products with reviews, of which all have been looked at. */
function createSetup(products: number, waits = false, window?: LossWindow) {
	const table = createMemoryStore().table('reviews');
	const pids = Array.from({ length: products }, (_, index) => `p-${index}`);
	for (const pid of pids) table.put(pid, pack(pid, { count: 2, average: 4 }), 1_000);
	table.put('empty', pack('empty'), 1_000);
	const doubted: string[] = [];
	const timers: { callback: () => void; milliseconds: number }[] = [];
	const losses = createLosses({
		seen: () => [...pids, 'empty', 'unknown'],
		entry: table.entry,
		holdsReviews,
		isConfirmed: (pid, stored) => pid === 'p-9' && stored.fetchedAt < 2_000,
		waits,
		schedule: (callback, milliseconds) => timers.push({ callback, milliseconds }),
		onDoubt: (pid) => doubted.push(pid),
		...(window && { window }),
	});
	return { table, losses, doubted, timers };
}

test('a loss is what replaces reviews that nobody said are gone', () => {
	const { losses, table } = createSetup(10);
	const isLoss = (pid: string) => losses.isLoss(pid, table.entry(pid) as never);
	expect([isLoss('p-1'), isLoss('p-9'), isLoss('empty')]).toEqual([true, false, false]);
});

test('losses wait until no more products come, and are all judged alike', async () => {
	const { losses } = createSetup(20, true);
	let known = 0;
	const judged = ['p-0', 'p-1', 'p-2', 'p-3', 'p-4'].map(async (pid) => {
		const isBelieved = await losses.isBelieved(pid);
		known += 1;
		return isBelieved;
	});
	await new Promise((resolve) => setImmediate(resolve));
	expect(known).toBe(0);
	losses.decide();
	expect(await Promise.all(judged)).toEqual([false, false, false, false, false]);
});

test('pages wait for a minute at most, from the first loss on', async () => {
	const { losses, timers } = createSetup(20, true);
	const first = losses.isBelieved('p-0');
	const second = losses.isBelieved('p-1');
	expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([60_000]);
	timers[0]?.callback();
	expect(await Promise.all([first, second, losses.isBelieved('p-2')])).toEqual([true, true, true]);
});

describe('as they come', () => {
	const judge = async (products: number, lost: number) => {
		const { losses, doubted } = createSetup(products);
		const believed: boolean[] = [];
		for (let index = 0; index < lost; index++) believed.push(await losses.isBelieved(`p-${index}`));
		return { believed, doubted };
	};

	test('a fifth is believed', async () => {
		const { believed, doubted } = await judge(50, 10);
		expect([new Set(believed), doubted]).toEqual([new Set([true]), []]);
	});

	test('more are not, and those before are doubted', async () => {
		const { believed, doubted } = await judge(20, 6);
		expect(believed).toEqual([true, true, true, true, false, false]);
		expect(doubted).toEqual(['p-0', 'p-1', 'p-2', 'p-3']);
	});
});

test('losses that come at the same moment, as those of a list do, are judged alike', async () => {
	const { losses } = createSetup(20);
	const pids = Array.from({ length: 6 }, (_, index) => `p-${index}`);
	expect(new Set(await Promise.all(pids.map(losses.isBelieved)))).toEqual(new Set([false]));
});

describe('in a process that lives long', () => {
	function createLasting(products: number) {
		const clock = createClock(0);
		const ended: string[] = [];
		const many: string[] = [];
		const setup = createSetup(products, false, {
			length: 1_000,
			monotonicNow: clock.now,
			onEnd: (pid) => ended.push(pid),
			onMany: (lost, of) => many.push(`${lost.size} of ${of}`),
		});
		const lose = async (from: number, to: number) => {
			const believed: boolean[] = [];
			for (let index = from; index < to; index++) believed.push(await setup.losses.isBelieved(`p-${index}`));
			return believed;
		};
		return { ...setup, clock, ended, many, lose };
	}

	test('a believed loss counts for a while', async () => {
		const { lose, clock, ended, many } = createLasting(20);
		for (let round = 0; round < 4; round++) {
			expect(await lose(4 * round, 4 * round + 4)).toEqual([true, true, true, true]);
			clock.pass(1_000);
		}
		expect(ended).toHaveLength(12);
		expect(many).toEqual([]);
	});

	test('a doubted loss counts until the product has reviews, and then others are believed again', async () => {
		const { lose, clock, losses, many, doubted } = createLasting(20);
		expect(await lose(0, 6)).toEqual([true, true, true, true, false, false]);
		expect(doubted).toEqual(['p-0', 'p-1', 'p-2', 'p-3']);
		clock.pass(100_000);
		expect(await lose(0, 1)).toEqual([false]);
		expect(many).toEqual(['5 of 20', '6 of 20', '6 of 20']);
		for (let index = 0; index < 6; index++) losses.found(`p-${index}`);
		expect(await lose(7, 8)).toEqual([true]);
	});
});

test.each([
	[undefined, false],
	['not JSON', false],
	['null', false],
	['7', false],
	['{"count":0}', false],
	['{"count":1}', true],
	['{"count":0,"questionCount":2}', true],
])('a summary %j holds reviews: %s', (summary, expected) => {
	expect(holdsReviews({ summary })).toBe(expected);
});

test('only a mark of a person that is younger than what is stored confirms', () => {
	const table = createMemoryStore().table('mark');
	const stored = {
		digest: '',
		fetchedAt: 1_000,
		state: 'fetched',
		validators: undefined,
		summary: undefined,
	} as const;
	table.put('webhook', pack({}), 2_000);
	table.put('person', packConfirmed(), 2_000);
	table.put('before', packConfirmed(), 1_000);
	const confirmed = ['webhook', 'person', 'before', 'none'].filter((pid) =>
		isConfirmedBy(table.entry(pid), stored),
	);
	expect(confirmed).toEqual(['person']);
});
