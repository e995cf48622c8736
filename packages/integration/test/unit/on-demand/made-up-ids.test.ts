import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test } from 'vitest';
import { startLive } from '../../support/unit/live.js';

const MINUTE = 60_000;
const GOOD = Array.from({ length: 20 }, (_, index) => `good-${index}`);

type Live = ReturnType<typeof startLive>;
type Open = Live['open'][number];

/** A server that knows 20 products. */
async function startKnowing(options: Record<string, unknown> = {}, good: readonly string[] = GOOD) {
	const live = startLive(options);
	for (const pid of good) {
		void live.source.getProductReviews(pid);
		await settled();
		await live.open[0]?.answer();
	}
	return live;
}

/** Views of ids that somebody made up, each of which is answered in the same way. */
async function flood({ source, open }: Live, views: number, answer: (request: Open) => Promise<void>) {
	for (let count = 0; count < views; count++) {
		const page = source.getProductReviews(`made-up-${count}`);
		await settled();
		for (const request of [...open]) await answer(request);
		await page;
	}
}

const states = ({ source }: Live, pids: readonly string[]) =>
	new Set(pids.map((pid) => source.freshness?.('reviews', pid).state));

const ANSWERS: [string, (request: Open) => Promise<void>][] = [
	['404', (request) => request.answerStatus(404)],
	['no reviews', (request) => request.answerEmpty()],
	['400', (request) => request.answerStatus(400)],
	['500', (request) => request.answerStatus(500)],
	['what cannot be read', (request) => request.answer({ count: 0 })],
];

describe.each(ANSWERS)('a flood of ids that are answered with %s', (_name, answer) => {
	test('leaves every product that was there, and what is remembered within "most"', async () => {
		const live = await startKnowing({ onDemand: { most: 100 } });
		await flood(live, 600, answer);
		expect(states(live, GOOD)).toEqual(new Set(['fresh']));
		const remembered = live.asked.filter(
			(pid) => live.source.freshness?.('reviews', pid).state !== 'missing',
		);
		expect(remembered.length).toBeLessThanOrEqual(100);
	});

	test('does not keep known products from being asked for', async () => {
		const live = await startKnowing();
		await flood(live, 100, answer);
		await live.pass(2 * MINUTE);
		await flood(live, 30, answer);
		for (const pid of GOOD) {
			void live.source.getProductReviews(pid);
			await (await live.request()).answer({ average: 3 });
			expect(await live.shown(pid)).toBe(3);
		}
	});

	test('leaves as many products as "most" allows', async () => {
		const live = await startKnowing({ onDemand: { most: GOOD.length } });
		await flood(live, 100, answer);
		expect(states(live, GOOD)).toEqual(new Set(['fresh']));
	});
});

test('24 failures of made-up ids do not hide a product that is asked for the first time, while known ones are answered', async () => {
	const live = await startKnowing();
	for (let round = 0; round < 5; round++) {
		await flood(live, 40, (request) => request.answerStatus(500));
		await live.pass(MINUTE + 1);
		void live.source.getProductReviews('good-1');
		await (await live.request()).answer();
		void live.source.getProductReviews(`new-${round}`);
		await (await live.request()).answer();
		expect(await live.shown(`new-${round}`)).toBe(4.5);
	}
});

test('failures of known products do stop requests: then the service is down', async () => {
	const good = Array.from({ length: 40 }, (_, index) => `good-${index}`);
	const live = await startKnowing({}, good);
	await live.pass(2 * MINUTE);
	const before = live.asked.length;
	for (const pid of good) {
		void live.source.getProductReviews(pid);
		await settled();
		await live.open[0]?.answerStatus(503);
	}
	expect(live.asked.length - before).toBe(24);
	for (const pid of good) expect(await live.shown(pid)).toBe(4.5);
});

test('a known product goes before all made-up ids that wait', async () => {
	const live = await startKnowing({ concurrency: 2 });
	await live.pass(2 * MINUTE);
	for (let count = 0; count < 300; count++) void live.source.getProductReviews(`made-up-${count}`);
	await settled();
	void live.source.getProductReviews('good-7');
	await settled();
	expect(live.open.map(({ pid }) => pid)).toEqual(['made-up-0', 'made-up-1']);
	await live.open[0]?.answerStatus(404);
	expect(live.open.map(({ pid }) => pid)).toEqual(['made-up-1', 'good-7']);
});

test('made-up ids that hang do not keep pages of known products from waiting for theirs', async () => {
	const live = await startKnowing();
	void live.source.getProductReviews('made-up');
	await live.pass(800);
	live.source.forget?.(['good-1']);
	expect(await live.shown('good-1')).toBe('waiting');
});

test('the service gets no more requests than "requestsPerSecond"', async () => {
	const live = await startKnowing({ requestsPerSecond: 2 }, ['good-0']);
	await live.pass(2 * MINUTE);
	const before = live.asked.length;
	for (let second = 0; second < 30; second++) {
		for (let count = 0; count < 50; count++) void live.source.getProductReviews(`made-up-${second}-${count}`);
		for (let half = 0; half < 2; half++) {
			await live.pass(500);
			for (const request of [...live.open]) await request.answerStatus(404);
		}
	}
	const asked = live.asked.length - before;
	expect(asked).toBeGreaterThan(50);
	expect(asked).toBeLessThanOrEqual(61);
});

describe('an outage with more viewed products than "most"', () => {
	const many = Array.from({ length: 150 }, (_, index) => `good-${index}`);

	test('those that were shown last are shown, and the others have none until it is over', async () => {
		const live = await startKnowing({ onDemand: { most: 100 } }, many);
		await live.pass(2 * MINUTE);
		for (let round = 0; round < 3; round++) {
			for (const pid of many) {
				void live.source.getProductReviews(pid);
				await settled();
				for (const request of [...live.open]) await request.answerStatus(503);
			}
			await live.pass(MINUTE);
			expect(states(live, many.slice(0, 50))).toEqual(new Set(['missing']));
			expect(states(live, many.slice(50))).toEqual(new Set(['stale']));
		}
		for (const pid of many.slice(50)) {
			void live.source.getProductReviews(pid);
			await settled();
			for (const request of [...live.open]) await request.answer();
		}
		expect(states(live, many.slice(50))).toEqual(new Set(['fresh']));
	});
});
