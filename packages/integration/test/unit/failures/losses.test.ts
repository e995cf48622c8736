import { expect, test, vi } from 'vitest';
import { holdsReviews, Losses } from '../../../src/failures/losses.js';
import { createMemoryStore } from '../../../src/store/open-store.js';
import { isConfirmedBy, pack, packConfirmed } from '../../../src/store/values.js';

/** A store of so many products with reviews, of which all have been looked at, and so many that lost them. */
function createSetup(products: number, lost: number, waits: boolean) {
	const table = createMemoryStore().table('reviews');
	const pids = Array.from({ length: products }, (_, index) => `p-${index}`);
	for (const pid of pids) table.put(pid, pack(pid, { count: 2, average: 4 }), 1_000);
	table.put('empty', pack('empty'), 1_000);
	const marks = createMemoryStore().table('mark');
	const losses = new Losses({ seen: () => [...pids, 'empty', 'unknown'], table, marks, waits });
	const doubted = () => pids.filter((pid) => table.entry(pid)?.fetchedAt === 0);
	return { losses, doubted, lost: pids.slice(0, lost) };
}

// A fifth is believed.
test.each([
	[50, 10, true],
	[20, 4, true],
	[20, 5, false],
])(
	'of %i products %i losses of a list wait for its end, or a minute, and are judged alike: %s',
	async (products, count, expected) => {
		for (const end of ['decide', 'a minute'] as const) {
			vi.useFakeTimers({ toFake: ['setTimeout'] });
			const { losses, lost } = createSetup(products, count, true);
			let known = 0;
			const judged = lost.map((pid) => losses.isBelieved(pid).finally(() => known++));
			await vi.advanceTimersByTimeAsync(59_999);
			expect(known).toBe(0);
			if (end === 'decide') losses.decide();
			else vi.advanceTimersByTime(1);
			expect(new Set(await Promise.all(judged))).toEqual(new Set([expected]));
			vi.useRealTimers();
		}
	},
);

test('losses without a list are believed one by one, and doubted when there are too many', async () => {
	const { losses, lost, doubted } = createSetup(20, 6, false);
	const believed: boolean[] = [];
	for (const pid of lost) believed.push(await losses.isBelieved(pid));
	expect(believed).toEqual([true, true, true, true, false, false]);
	expect(doubted()).toEqual(lost.slice(0, 4));
	// Those of one moment are judged alike.
	const other = createSetup(20, 6, false);
	expect(new Set(await Promise.all(other.lost.map((pid) => other.losses.isBelieved(pid))))).toEqual(
		new Set([false]),
	);
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
	const rest = { digest: '', state: 'fetched', validators: undefined, summary: undefined } as const;
	table.put('webhook', pack({}), 2_000);
	table.put('person', packConfirmed(), 2_000);
	table.put('before', packConfirmed(), 1_000);
	const confirmed = ['webhook', 'person', 'before', 'none'].filter((pid) =>
		isConfirmedBy(table.entry(pid), { ...rest, fetchedAt: 1_000 }),
	);
	expect(confirmed).toEqual(['person']);
});
