import { settled } from 'product-reviews-test-support/settled';
import { expect, test } from 'vitest';
import { startLive } from '../../support/unit/live.js';

const MINUTE = 60_000;
const YEAR_IN_S = String(365 * 86_400);

test.each([
	['a year', YEAR_IN_S],
	['ten thousand years', '315360000000'],
	['a date in a century', new Date('2126-11-21T12:00:00Z').toUTCString()],
])('a service that wants a pause of %s is asked again after five minutes', async (_name, pause) => {
	const { shown, request, pass, asked } = startLive();
	void shown();
	await (await request()).answer();
	await pass(2 * MINUTE);
	void shown();
	await (await request()).answerStatus(429, { 'retry-after': pause });
	for (let minute = 0; minute < 4; minute++) {
		await pass(MINUTE);
		expect(await shown()).toBe(4.5);
		expect(await shown('p-2')).toBeUndefined();
	}
	expect(asked).toHaveLength(2);
	await pass(MINUTE + 10_000);
	void shown();
	await (await request()).answer({ average: 3 });
	expect(await shown()).toBe(3);
});

test('after the pause one request finds out, and the others wait for it', async () => {
	const { source, request, pass, asked, open } = startLive();
	void source.getProductReviews('p-0');
	await (await request()).answerStatus(503, { 'retry-after': YEAR_IN_S });
	await pass(5 * MINUTE);
	for (let count = 1; count <= 5; count++) void source.getProductReviews(`p-${count}`);
	await settled();
	expect(asked).toEqual(['p-0', 'p-1']);
	await open[0]?.answer();
	expect(asked).toEqual(['p-0', 'p-1', 'p-2', 'p-3', 'p-4', 'p-5']);
});

test('a service that wants a pause each time is asked once in five minutes', async () => {
	const { source, pass, asked, open } = startLive();
	for (let minute = 0; minute < 60; minute++) {
		for (let count = 0; count < (minute === 0 ? 1 : 3); count++)
			void source.getProductReviews(`p-${minute}-${count}`);
		await settled();
		await open[0]?.answerStatus(429, { 'retry-after': YEAR_IN_S });
		await pass(MINUTE);
	}
	expect(asked.length).toBeGreaterThanOrEqual(11);
	expect(asked.length).toBeLessThanOrEqual(13);
});
