import { NOW as START } from 'product-reviews-test-support/clock';
import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, test } from 'vitest';
import {
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsTimeoutError,
} from '../../src/index.js';
import { answerWell, sendStatus } from '../support/server.js';
import { useSetup } from '../support/setup.js';

const setup = useSetup();

describe('which failures are tried again', () => {
	test.each([408, 425, 429, 500, 501, 502, 503, 504, 599])('%i is, four times', async (status) => {
		setup.server.answer((response) => sendStatus(response, status));
		const error = await errorOf(setup.client().getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsHttpError);
		expect(error).toMatchObject({ status, attempts: 5 });
		expect(setup.server.calls).toHaveLength(5);
	});

	test.each([201, 204, 206, 300, 304, 400, 401, 402, 403, 405, 409, 410, 413, 418, 422, 451])(
		'%i is final',
		async (status) => {
			setup.server.answer((response) => sendStatus(response, status));
			const error = await errorOf(setup.client().getCrawlerReviews('p-1'));
			expect(error).toMatchObject({ name: 'ReviewsHttpError', status, attempts: 1 });
			expect(setup.server.calls).toHaveLength(1);
		},
	);

	test('500 once is tried again', async () => {
		setup.server.answer((response, call, count) =>
			count === 1 ? sendStatus(response, 500) : answerWell(response, call, count),
		);
		expect(await setup.client().getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
		expect(setup.events).toMatchObject([
			{ attempt: 1, status: 500, operation: 'crawlerReviews', pids: ['p-1'], bytes: 0 },
			{ attempt: 2, status: 200 },
		]);
		expect(setup.events[0]?.error).toBeInstanceOf(ReviewsHttpError);
		expect(setup.events[1]?.bytes).toBeGreaterThan(50);
	});

	test('a connection that is reset once is tried again', async () => {
		setup.server.answer((response, call, count) =>
			count === 1 ? response.socket?.resetAndDestroy() : answerWell(response, call, count),
		);
		expect(await setup.client().getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
		expect(setup.server.calls).toHaveLength(2);
		expect(setup.events[0]?.error).toBeInstanceOf(ReviewsNetworkError);
		expect(setup.events[0]).not.toHaveProperty('status');
	});

	test('a body that is cut short is tried again', async () => {
		setup.server.answer((response, call, count) => {
			if (count > 1) return answerWell(response, call, count);
			response.writeHead(200, { 'content-length': '1000' }).write('{"pid":');
			setTimeout(() => response.socket?.destroy(), 10);
		});
		expect(await setup.client().getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
		expect(setup.server.calls).toHaveLength(2);
	});

	test('nobody listens: the error names the code', async () => {
		const { origin } = setup.server;
		await setup.server.close();
		const error = await errorOf(setup.client({ baseUrl: origin }).getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsNetworkError);
		expect(error).toMatchObject({ attempts: 5, message: expect.stringContaining('(ECONNREFUSED)') });
	});

	test('retries: 0 asks once', async () => {
		setup.server.answer((response) => sendStatus(response, 503));
		await errorOf(setup.client({ retries: 0 }).getCrawlerReviews('p-1'));
		expect(setup.server.calls).toHaveLength(1);
	});
});

describe('waits', () => {
	test('are jittered over windows that double', async () => {
		setup.server.answer((response) => sendStatus(response, 503));
		await errorOf(setup.client({ random: () => 0.5 }).getCrawlerReviews('p-1'));
		expect(setup.time.slept).toEqual([100, 200, 400, 800]);
	});

	test('are longer after a 429', async () => {
		setup.server.answer((response) => sendStatus(response, 429));
		await errorOf(setup.client({ random: () => 0.5 }).getCrawlerReviews('p-1'));
		expect(setup.time.slept).toEqual([500, 1_000, 2_000, 4_000]);
	});

	test.each([
		['seconds', 429, '7'],
		['a date', 503, new Date(START + 7_000).toUTCString()],
	])('obey a Retry-After in %s as a floor', async (_form, status, value) => {
		setup.server.answer((response, call, count) =>
			count === 1
				? sendStatus(response, status, { 'retry-after': value })
				: answerWell(response, call, count),
		);
		await setup.client().getCrawlerReviews('p-1');
		expect(setup.time.now() - START).toBe(7_000);
		expect(setup.server.calls).toHaveLength(2);
	});

	test('a Retry-After holds back every operation of the client', async () => {
		const starts: Record<string, number> = {};
		setup.server.answer((response, call, count) => {
			starts[`${call.pids[0]}#${count}`] = setup.time.now() - START;
			if (call.pids[0] === 'busy' && count === 1) return sendStatus(response, 429, { 'retry-after': '30' });
			answerWell(response, call, count);
		});
		const client = setup.client({
			onRequest: ({ attempt, status }) => {
				if (attempt === 1 && status === 429) other = client.getProductReviewData('other');
			},
		});
		let other: Promise<unknown> | undefined;
		await client.getCrawlerReviews('busy');
		await other;
		expect(Object.values(starts).toSorted((a, b) => a - b)).toEqual([0, 30_000, 30_000]);
	});

	test('a Retry-After of a day stops the client at once, until it has passed', async () => {
		setup.server.answer((response, call, count) =>
			count === 1 ? sendStatus(response, 429, { 'retry-after': '86400' }) : answerWell(response, call, count),
		);
		const client = setup.client();
		const until = START + 86_400_000;
		const error = await errorOf(client.getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsPausedError);
		expect(error).toMatchObject({ until, status: 429, attempts: 1, cause: { status: 429 } });
		expect(await errorOf(client.getStarRatings(['p-2']))).toMatchObject({ until, attempts: 0, pid: 'p-2' });
		expect(setup.server.calls).toHaveLength(1);
		expect(setup.time.slept).toEqual([]);
		setup.time.advance(86_400_000);
		expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
	});

	test('those who wait when the client stops are told at once', async () => {
		setup.server.answer((response, call) => {
			if (call.pids[0] === 'waits') return sendStatus(response, 503);
			sendStatus(response, 503, { 'retry-after': '3600' });
		});
		// The first waits 10 s, however busy the machine is.
		const client = setup.client({ now: Date.now, sleep: undefined, random: () => 50 });
		const waits = errorOf(client.getCrawlerReviews('waits'));
		await expect.poll(() => setup.events.length).toBe(1);
		const started = Date.now();
		expect(await errorOf(client.getCrawlerReviews('stops'))).toBeInstanceOf(ReviewsPausedError);
		expect(await waits).toBeInstanceOf(ReviewsPausedError);
		expect(Date.now() - started).toBeLessThan(150);
	});

	test('a wait that would pass the deadline is not begun', async () => {
		setup.server.answer((response) => sendStatus(response, 503, { 'retry-after': '20' }));
		const error = await errorOf(setup.client({ deadline: 15_000 }).getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsTimeoutError);
		expect(error).toMatchObject({ scope: 'deadline', limit: 15_000, attempts: 1, cause: { status: 503 } });
		expect(setup.time.slept).toEqual([]);
	});
});

describe('retry budget', () => {
	test('a dead service is asked about 100 times more than there are products', async () => {
		setup.server.answer((response) => sendStatus(response, 503));
		// So many at once that the breaker stays closed.
		const client = setup.client({ concurrency: 256 });
		const errors = await Promise.all(
			Array.from({ length: 300 }, (_, index) => errorOf(client.getCrawlerReviews(`p-${index}`))),
		);
		expect(setup.server.calls).toHaveLength(400);
		const attempts = errors.map((error) => (error as ReviewsHttpError).attempts);
		expect(attempts.reduce((sum, count) => sum + count)).toBe(400);
		expect(errors.map(String).join()).toContain('its budget of retries is empty');
	});

	test('time-outs cost twice as much', async () => {
		const client = setup.client({
			concurrency: 256,
			timeout: 1,
			fetch: () => new Promise(() => {}),
		});
		await Promise.all(
			Array.from({ length: 60 }, (_, index) => errorOf(client.getCrawlerReviews(`p-${index}`))),
		);
		expect(setup.events).toHaveLength(60 + 50);
	});

	test('a service that recovers gets its retries back', async () => {
		setup.server.answer((response, call, count) =>
			count % 2 === 1 ? sendStatus(response, 500) : answerWell(response, call, count),
		);
		const client = setup.client();
		for (let index = 0; index < 110; index += 1) await client.getCrawlerReviews(`p-${index}`);
		expect(setup.server.calls).toHaveLength(220);
	});
});

describe('pacing', () => {
	/** A fetch that notes when each request starts. */
	const startsInto =
		(starts: number[]): typeof fetch =>
		(input, init) => {
			starts.push(setup.time.now() - START);
			return fetch(input, init);
		};

	test('requestsPerSecond spaces the starts', async () => {
		const starts: number[] = [];
		const client = setup.client({ requestsPerSecond: 20, fetch: startsInto(starts) });
		await Promise.all(['a', 'b', 'c', 'd', 'e'].map((pid) => client.getCrawlerReviews(pid)));
		expect(starts.toSorted((a, b) => a - b)).toEqual([0, 50, 100, 150, 200]);
	});

	test('after a pause the starts are spaced again', async () => {
		const starts: number[] = [];
		setup.server.answer((response, call, count) => {
			if (count === 1) return sendStatus(response, 429, { 'retry-after': '10' });
			answerWell(response, call, count);
		});
		const others: Promise<unknown>[] = [];
		const client = setup.client({
			requestsPerSecond: 10,
			fetch: startsInto(starts),
			onRequest: ({ status }) => {
				if (status === 429) others.push(...['b', 'c'].map((pid) => client.getCrawlerReviews(pid)));
			},
		});
		await client.getCrawlerReviews('a');
		await Promise.all(others);
		expect(starts).toEqual([0, 10_000, 10_100, 10_200]);
	});
});

describe('a 401', () => {
	test('asks the token function once more, also for operations in parallel', async () => {
		let asked = 0;
		const token = async () => {
			asked += 1;
			return `token-${asked}`;
		};
		setup.server.answer((response, call, count) =>
			call.headers.authorization === 'Bearer token-1'
				? sendStatus(response, 401)
				: answerWell(response, call, count),
		);
		const client = setup.client({ token, retries: 0 });
		await Promise.all(['a', 'b', 'c'].map((pid) => client.getProductReviewData(pid)));
		await client.getProductReviewData('d');
		expect(asked).toBe(2);
		expect(setup.server.calls).toHaveLength(7);
		expect(setup.time.slept).toEqual([]);
	});

	test('is final the second time', async () => {
		let asked = 0;
		setup.server.answer((response) => sendStatus(response, 401));
		const token = () => {
			asked += 1;
			return `token-${asked}`;
		};
		const client = setup.client({ token });
		const error = await errorOf(client.getProductReviewData('a'));
		expect(error).toMatchObject({ status: 401, attempts: 2 });
		expect(asked).toBe(2);
	});

	test('is final at once with a token that is a string', async () => {
		setup.server.answer((response) => sendStatus(response, 401));
		expect(await errorOf(setup.client().getProductReviewData('a'))).toMatchObject({ attempts: 1 });
		expect(setup.server.calls).toHaveLength(1);
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
