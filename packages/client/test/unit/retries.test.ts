import { errorOf, NOW, settled } from 'product-reviews-test-support/clock';
import { freePort } from 'product-reviews-test-support/listen';
import { describe, expect, test } from 'vitest';
import { ReviewsHttpError, ReviewsNetworkError, ReviewsPausedError } from '../../src/index.js';
import { answering, startStub, useSetup } from '../support/setup.js';

const setup = useSetup();
const DAY = 86_400_000;
const busy = answering(429, { 'retry-after': '86400' });

describe('which failures are tried again', () => {
	test.each([408, 425, 429, 500, 501, 502, 503, 504, 599])('%i is, four times', async (status) => {
		const error = await setup.failure(answering(status));
		expect(error).toBeInstanceOf(ReviewsHttpError);
		expect(error).toMatchObject({ status, attempts: 5 });
		expect(setup.calls).toHaveLength(5);
	});

	test.each([201, 204, 206, 300, 304, 400, 401, 402, 403, 405, 409, 410, 413, 418, 422, 451])(
		'%i is final',
		async (status) => {
			const error = await setup.failure(answering(status));
			expect(error).toMatchObject({ name: 'ReviewsHttpError', status, attempts: 1 });
			expect(setup.calls).toHaveLength(1);
		},
	);

	test('nobody listens: the error names the code', async () => {
		const baseUrl = `http://127.0.0.1:${await freePort()}`;
		const client = setup.client({ baseUrl, fetch: undefined });
		const error = await errorOf(client.getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsNetworkError);
		expect(error).toMatchObject({ attempts: 5, message: expect.stringContaining('(ECONNREFUSED)') });
		expect(setup.events[0]).not.toHaveProperty('status');
	});
});

describe('waits', () => {
	test.each([
		[503, 1, [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 20_000, 20_000]],
		[503, 0.5, [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]],
		[429, 1, [1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000, 20_000, 20_000]],
		[503, 0, []],
	])('after a %i are jittered (%d) over windows that double, up to 20 s', async (status, random, waits) => {
		const { client, answer, monotonicNow } = startStub({
			retries: 9,
			random: () => random,
			deadline: 1_000_000,
		});
		const starts: number[] = [];
		answer((call, count) => {
			starts.push(monotonicNow());
			return answering(status)(call, count);
		});
		await errorOf(client.getCrawlerReviews('p-1'));
		expect(starts).toHaveLength(10);
		expect(starts.slice(1).map((start, index) => start - (starts[index] as number))).toEqual(
			waits.length > 0 ? waits : Array(9).fill(0),
		);
	});

	test.each([
		['7', 7_000],
		['1.5', 1_500],
		['0', 0],
		['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
		['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
		['Fri Nov 20 12:00:30 2026', 30_000],
		['Fri, 20 Nov 2026 11:59:30 GMT', 0],
		['9'.repeat(400), 365 * DAY],
		['Fri, 20 Nov 9994 12:00:30 GMT', 365 * DAY],
		[String((365 * DAY) / 1_000), 300_000, 300_000],
		[new Date(NOW + 365 * DAY).toUTCString(), 300_000, 300_000],
		['-1', 0],
		['soon', 0],
		['2026-11-21', 0],
		['Fri, 99 Nov 2026 99:49:37 GMT', 0],
		['', 0],
	])('Retry-After: %.40s asks for a pause of %i ms, with maxPause %s', async (value, pause, maxPause?) => {
		const { client, answer } = startStub({ maxRetryAfter: 0, maxPause });
		answer(answering(503, { 'retry-after': value }));
		const error = (await errorOf(client.getCrawlerReviews('p-1'))) as Partial<ReviewsPausedError>;
		expect(error.name).toBe(pause > 0 ? 'ReviewsPausedError' : 'ReviewsHttpError');
		expect((error.until ?? NOW) - NOW).toBe(pause);
	});

	test.each([
		['stands still', 0],
		['is set a day back', -DAY],
		['is set an hour back', -DAY / 24],
		['is set a leap second forward', 1_000],
		['is set a year forward', 365 * DAY],
	])('a pause of a day stops the client, as long where the clock %s', async (_name, by) => {
		const { client, answer, asked, setForward, pass, now } = startStub({ retries: 4 });
		answer(busy);
		const error = await errorOf(client.getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsPausedError);
		expect(error).toMatchObject({ until: NOW + DAY, status: 429, attempts: 1, cause: { status: 429 } });
		answer(answering(200));
		setForward(by);
		pass(DAY - 1);
		const refused = await errorOf(client.getStarRatings(['p-2']));
		expect(refused).toMatchObject({ until: now() + 1, attempts: 0, pid: 'p-2' });
		expect(asked).toHaveLength(1);
		pass(1);
		expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
	});

	test.each([
		['is answered well, and the others go on', () => new Response(), 20, 21],
		[
			'asks for another pause, and the others are not sent',
			() => new Response('{}', { status: 429, headers: { 'retry-after': '86400' } }),
			0,
			2,
		],
		['fails in another way, and the others try', () => Promise.reject(new Error('reset')), 19, 21],
	])('after a pause one request finds out: it %s', async (_name, end, answered, requests) => {
		const { client, answer, pass, asked } = startStub();
		answer(busy);
		await errorOf(client.getCrawlerReviews('first'));
		pass(DAY);
		const probe = Promise.withResolvers<Response>();
		answer((call, count) => (count === 2 ? probe.promise : answering(200)(call, count)));
		const pids = Array.from({ length: 20 }, (_, index) => `p-${index}`);
		const ended = Promise.allSettled(pids.map((pid) => client.getCrawlerReviews(pid)));
		await settled();
		expect(asked).toEqual(['first', 'p-0']);
		probe.resolve(end());
		const failed = (await ended).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
		expect(failed).toHaveLength(20 - answered);
		if (answered === 0) expect(failed.every((error) => error instanceof ReviewsPausedError)).toBe(true);
		expect(asked).toHaveLength(requests);
	});

	test('a wait that would pass the deadline is not begun', async () => {
		const error = await setup.failure(answering(503, { 'retry-after': '20' }), { deadline: 15_000 });
		expect(error).toMatchObject({
			name: 'ReviewsTimeoutError',
			scope: 'deadline',
			limit: 15_000,
			attempts: 1,
			cause: { status: 503 },
		});
		expect(setup.slept).toEqual([]);
	});
});

describe('a 401', () => {
	test('asks the token function once more, also for operations in parallel', async () => {
		let asked = 0;
		const token = async () => `token-${++asked}`;
		setup.answer((call, count) =>
			answering(call.headers['authorization'] === 'Bearer token-1' ? 401 : 200)(call, count),
		);
		const client = setup.client({ token, retries: 0 });
		await Promise.all(['a', 'b', 'c'].map((pid) => client.getProductReviewData(pid)));
		await client.getProductReviewData('d');
		expect(asked).toBe(2);
		expect(setup.calls).toHaveLength(7);
		expect(setup.slept).toEqual([]);
	});

	test.each([
		['the second time', () => 'renewed', 2],
		['at once with a token that is a string', 'fixed', 1],
	])('is final %s', async (_when, token, attempts) => {
		setup.answer(answering(401));
		const error = await errorOf(setup.client({ token }).getProductReviewData('a'));
		expect(error).toMatchObject({ status: 401, attempts });
		expect(setup.calls).toHaveLength(attempts);
	});

	test('a token function that failed is asked again by the next operation', async () => {
		let asked = 0;
		const token = () => {
			asked += 1;
			if (asked === 1) throw new TypeError('no');
			return 'good';
		};
		const client = setup.client({ token });
		const message = expect.stringContaining('The token function failed (TypeError)');
		expect(await errorOf(client.getProductReviewData('a'))).toMatchObject({ message });
		expect(await client.getProductReviewData('a')).toMatchObject({ pid: 'a' });
	});
});
