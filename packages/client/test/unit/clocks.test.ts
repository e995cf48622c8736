import { NOW as START } from 'product-reviews-test-support/clock';
import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, test } from 'vitest';
import { createReviewsClient, ReviewsPausedError } from '../../src/index.js';
import { crawlerPayload } from '../support/payloads.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

type Answer = (pid: string) => Response | Promise<Response>;

const well: Answer = (pid) => Response.json(crawlerPayload(pid));
const busy =
	(retryAfter: string): Answer =>
	() =>
		new Response('{}', { status: 429, headers: { 'retry-after': retryAfter } });

/** A client with a clock on the wall, which may be set, and one that only goes on. */
function start(options: Partial<Parameters<typeof createReviewsClient>[0]> = {}) {
	const clock = { wall: START, monotonic: 5_000 };
	const asked: string[] = [];
	const durations: number[] = [];
	const state = { answer: well };
	const client = createReviewsClient({
		baseUrl: 'https://reviews.example',
		wsid: 'W-1',
		retries: 0,
		now: () => clock.wall,
		monotonicNow: () => clock.monotonic,
		sleep: (milliseconds, signal) => {
			signal.throwIfAborted();
			clock.monotonic += milliseconds;
			clock.wall += milliseconds;
			return Promise.resolve();
		},
		random: () => 0.5,
		onRequest: ({ durationMs }) => durations.push(durationMs),
		fetch: async (url) => {
			const pid = new URL(String(url)).searchParams.get('pid') ?? '';
			asked.push(pid);
			return state.answer(pid);
		},
		...options,
	});
	return {
		client,
		clock,
		asked,
		durations,
		state,
		/** Time that passes for both clocks. */
		pass(milliseconds: number) {
			clock.wall += milliseconds;
			clock.monotonic += milliseconds;
		},
	};
}

describe.each([
	['a day back', -DAY],
	['an hour back', -HOUR],
	['a leap second', 1_000],
	['a year forward', YEAR],
])('a clock that is set %s', (_name, by) => {
	test('holds back no request', async () => {
		const { client, clock, durations } = start({ requestsPerSecond: 10 });
		await client.getCrawlerReviews('p-1');
		clock.wall += by;
		const before = clock.monotonic;
		await client.getCrawlerReviews('p-2');
		expect(clock.monotonic - before).toBe(100);
		expect(durations).toEqual([0, 0]);
	});

	test('neither ends a pause nor makes it longer', async () => {
		const { client, clock, state, pass } = start();
		state.answer = busy('3600');
		await errorOf(client.getCrawlerReviews('p-1'));
		state.answer = well;
		clock.wall += by;
		pass(HOUR - 1);
		const error = await errorOf(client.getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsPausedError);
		expect((error as ReviewsPausedError).until).toBe(clock.wall + 1);
		pass(1);
		expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
	});

	test('in the middle of a request takes no time from its tries', async () => {
		const { client, clock, state, asked, durations } = start({ retries: 1, deadline: MINUTE });
		state.answer = () => {
			clock.wall += by;
			clock.monotonic += 50;
			state.answer = well;
			return new Response('{}', { status: 503 });
		};
		expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
		expect(asked).toHaveLength(2);
		expect(durations).toEqual([50, 0]);
	});
});

test('a machine that slept waits for no longer than it was asked to while it was awake', async () => {
	const { client, clock, state, pass } = start();
	state.answer = busy('120');
	await errorOf(client.getCrawlerReviews('p-1'));
	state.answer = well;
	clock.wall += 8 * HOUR;
	pass(2 * MINUTE);
	expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
});

describe('maxPause', () => {
	test.each([
		['a year in seconds', String(YEAR / 1_000)],
		['ten thousand years', '315360000000'],
		['a date in a year', new Date(START + YEAR).toUTCString()],
	])('%s counts as so many minutes', async (_name, retryAfter) => {
		const { client, state, pass, asked } = start({ maxPause: 5 * MINUTE });
		state.answer = busy(retryAfter);
		const { until } = (await errorOf(client.getCrawlerReviews('p-1'))) as ReviewsPausedError;
		expect(until).toBe(START + 5 * MINUTE);
		state.answer = well;
		pass(5 * MINUTE - 1);
		expect(await errorOf(client.getCrawlerReviews('p-1'))).toBeInstanceOf(ReviewsPausedError);
		expect(asked).toHaveLength(1);
		pass(1);
		expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
	});

	test('without it a client believes what it is told, as a build does', async () => {
		const { client, state, pass } = start();
		state.answer = busy('86400');
		await errorOf(client.getCrawlerReviews('p-1'));
		pass(DAY - 1);
		expect(await errorOf(client.getCrawlerReviews('p-1'))).toBeInstanceOf(ReviewsPausedError);
	});
});

describe('after a stop', () => {
	const stopped = async () => {
		const setup = start();
		setup.state.answer = busy('600');
		await errorOf(setup.client.getCrawlerReviews('first'));
		setup.pass(10 * MINUTE);
		const probe = Promise.withResolvers<Response>();
		setup.state.answer = () => probe.promise;
		const all = Array.from({ length: 20 }, (_, index) => setup.client.getCrawlerReviews(`p-${index}`));
		const ended = Promise.allSettled(all);
		await new Promise(setImmediate);
		expect(setup.asked).toEqual(['first', 'p-0']);
		return { ...setup, probe, ended };
	};

	test('one request finds out, and the others go on when it is answered', async () => {
		const { state, asked, probe, ended } = await stopped();
		state.answer = well;
		probe.resolve(await well('p-0'));
		expect((await ended).filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
		expect(asked).toHaveLength(21);
	});

	test('another long pause stops the others without a request', async () => {
		const { asked, probe, ended } = await stopped();
		probe.resolve(await busy('600')('p-0'));
		const reasons = (await ended).map((end) => end.status === 'rejected' && end.reason);
		expect(reasons.every((reason) => reason instanceof ReviewsPausedError)).toBe(true);
		expect(asked).toHaveLength(2);
	});

	test('one that fails in another way lets the others try', async () => {
		const { state, asked, probe, ended } = await stopped();
		state.answer = well;
		probe.reject(new Error('reset'));
		expect((await ended).filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
		expect(asked).toHaveLength(21);
	});
});
