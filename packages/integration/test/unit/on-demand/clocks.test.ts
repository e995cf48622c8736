import { describe, expect, test } from 'vitest';
import { startLive } from '../../support/unit/live.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each([
	['a day back', -DAY],
	['an hour back', -HOUR],
	['a leap second', 1_000],
	['a year forward', 365 * DAY],
])('a clock that is set %s', (_name, by) => {
	test('takes no reviews from a page, and asks for none', async () => {
		const { shown, request, setClock, source, asked } = startLive();
		void shown();
		await (await request()).answer();
		setClock(by);
		expect(await shown()).toBe(4.5);
		expect(await shown()).toBe(4.5);
		expect(source.freshness?.('reviews', 'p-1').state).toBe('fresh');
		expect(asked).toHaveLength(1);
	});

	test('does not keep them fresh for longer either', async () => {
		const { shown, request, setClock, pass, asked } = startLive();
		void shown();
		await (await request()).answer();
		setClock(by);
		await pass(MINUTE + 1);
		expect(await shown()).toBe(4.5);
		expect(asked).toHaveLength(2);
	});

	test('in an outage takes none away', async () => {
		const { shown, request, setClock, pass } = startLive();
		void shown();
		await (await request()).answer();
		await pass(2 * MINUTE);
		void shown();
		await (await request()).answerStatus(503);
		setClock(by);
		expect(await shown()).toBe(4.5);
	});

	test('does not make a product that failed wait for longer than 10 s', async () => {
		const { shown, request, setClock, pass } = startLive();
		void shown();
		await (await request()).answerStatus(503);
		setClock(by);
		expect(await shown()).toBeUndefined();
		await pass(10_000);
		void shown();
		await (await request()).answer();
		expect(await shown()).toBe(4.5);
	});

	test('does not make the rest longer after which a service that was down is asked again', async () => {
		const { source, open, asked, pass, setClock, request, shown } = startLive();
		for (let count = 0; count < 30; count++) {
			const page = source.getProductReviews(`p-${count}`);
			await pass(0);
			await open[0]?.answerStatus(503);
			await page;
		}
		expect(asked).toHaveLength(24);
		setClock(by);
		await pass(30_000);
		void shown('p-100');
		await (await request()).answer();
		expect(await shown('p-100')).toBe(4.5);
	});

	test('says of new reviews that they came when the clock said so', async () => {
		const { shown, request, setClock, pass, source } = startLive();
		void shown();
		await (await request()).answer();
		const before = source.freshness?.('reviews', 'p-1').changedAt ?? 0;
		setClock(by);
		await pass(2 * MINUTE);
		void shown();
		await (await request()).answer({ average: 3 });
		expect(source.freshness?.('reviews', 'p-1').changedAt).toBe(before + by + 2 * MINUTE);
	});
});

test('a server that slept shows what it has, and asks when the minute is over that it was awake', async () => {
	const { shown, request, setClock, pass, asked } = startLive();
	void shown();
	await (await request()).answer();
	await pass(30_000);
	// The monotonic clock of most systems stands still meanwhile.
	setClock(8 * HOUR);
	expect(await shown()).toBe(4.5);
	await pass(30_001);
	expect(await shown()).toBe(4.5);
	expect(asked).toHaveLength(2);
});

test('where the only clock there is was set back, pages keep their reviews and ask again', async () => {
	const { shown, request, pass, asked } = startLive();
	void shown();
	await (await request()).answer();
	await pass(-HOUR);
	const page = shown();
	await (await request()).answerStatus(503);
	await page;
	expect(await shown()).toBe(4.5);
	expect(asked).toHaveLength(2);
});
