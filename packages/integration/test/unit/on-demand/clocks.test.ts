import { describe, expect, test } from 'vitest';
import { startLive } from '../../support/unit/live.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function startShowing() {
	const live = startLive();
	await live.view(['p-1'], (request) => request.answer());
	return live;
}

describe.each([
	['a day back', -DAY],
	['an hour back', -HOUR],
	['a leap second', 1_000],
	['a year forward, as one of a server that slept', 365 * DAY],
])('a clock that is set %s', (_name, by) => {
	test('takes no reviews from a page, keeps them fresh for a minute, and is what changes are dated by', async () => {
		const { shown, request, setClock, pass, states, asked, source } = await startShowing();
		const changedAt = () => source.freshness?.('reviews', 'p-1').changedAt ?? 0;
		const before = changedAt();
		setClock(by);
		expect(await shown()).toBe(4.5);
		expect(states(['p-1'])).toEqual(new Set(['fresh']));
		expect(asked).toHaveLength(1);
		await pass(MINUTE + 1);
		expect(await shown()).toBe(4.5);
		await (await request()).answer({ average: 3 });
		expect(changedAt()).toBe(before + by + MINUTE + 1);
	});

	test('in an outage takes none away, and lets nothing rest for longer', async () => {
		const { view, shown, asked, pass, setClock } = await startShowing();
		await pass(2 * MINUTE);
		const others = Array.from({ length: 30 }, (_, index) => `other-${index}`);
		await view(['p-1', ...others], (request) => request.answerStatus(503));
		expect(asked).toHaveLength(2 + 24);
		setClock(by);
		expect([await shown('p-1'), await shown('other-0')]).toEqual([4.5, undefined]);
		await pass(30_000);
		expect(await view(['other-0', 'p-100'], (request) => request.answer())).toEqual(['other-0', 'p-100']);
	});
});

test('where the only clock there is was set back, pages keep their reviews and ask again', async () => {
	const { view, shown, pass, asked } = await startShowing();
	await pass(-DAY);
	await view(['p-1'], (request) => request.answerStatus(503));
	expect(await shown()).toBe(4.5);
	expect(asked).toHaveLength(2);
});
