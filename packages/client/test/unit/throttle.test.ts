import { errorOf, NOW, settled } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { ReviewsHttpError, ReviewsPausedError } from '../../src/index.js';
import { type Answer, answering, never, startStub } from '../support/setup.js';

const LOW = { priority: 'low' } as const;
const pids = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

/** What operations come to: their products, or the errors that they throw. */
const outcomes = async (all: readonly Promise<{ pid: string }>[]) =>
	(await Promise.allSettled(all)).map((end) => (end.status === 'fulfilled' ? end.value.pid : end.reason));

describe('requests in flight', () => {
	test.each([undefined, 1, 16])('are as many as concurrency: %s says, or 8', async (concurrency) => {
		const most = concurrency ?? 8;
		const { client, hold, open, end } = startStub({ concurrency });
		hold();
		const all = [
			client.getStarRatings(pids(10)),
			client.getProductReviewData('p-1'),
			...pids(40).map((pid) => client.getCrawlerReviews(pid)),
		];
		const ended = Promise.allSettled(all);
		await settled();
		for (let left = 42; left > 0; left -= 1) {
			expect(open).toHaveLength(Math.min(most, left));
			await end(left % 10 === 0 ? 403 : 200);
		}
		expect((await ended).filter(({ status }) => status === 'rejected')).toHaveLength(4);
	});

	test.each<[number, Record<string, string>, boolean]>([
		[429, {}, true],
		[503, { 'retry-after': '0' }, true],
		[503, {}, false],
		[500, {}, false],
		[400, {}, false],
	])('become fewer after a %i with %j: %s', async (status, headers, isFewer) => {
		const { client, hold, end, asked } = startStub({ concurrency: 16 });
		hold(headers);
		for (const pid of pids(100)) client.getCrawlerReviews(pid).catch(() => {});
		await settled();
		for (let count = 0; count < 16; count += 1) await end(status);
		expect(asked.length < 32).toBe(isFewer);
	});

	test('are as many as before after as many answers as it takes', async () => {
		const { client, hold, open, end, asked } = startStub({ concurrency: 4 });
		hold();
		for (const pid of pids(40)) client.getCrawlerReviews(pid).catch(() => {});
		await settled();
		for (let count = 0; count < 4; count += 1) await end(429);
		expect(open).toHaveLength(2);
		for (let count = 0; count < 5; count += 1) await end(200);
		expect(open).toHaveLength(4);
		expect(asked).toHaveLength(13);
	});
});

describe('order', () => {
	/** A client with one request in flight, which is open until all others wait. */
	async function startBusy(answer = answering(200), retries = 0) {
		const stub = startStub({ concurrency: 1, retries });
		const first = Promise.withResolvers<Response>();
		stub.answer((call, count) => (count === 1 ? first.promise : answer(call, count)));
		const all = [stub.client.getCrawlerReviews('p-0')];
		await settled();
		return {
			...stub,
			add: (pid: string, options = {}) => all.push(stub.client.getCrawlerReviews(pid, options)),
			async drain() {
				first.resolve(new Response());
				return await outcomes(all);
			},
		};
	}

	test('first in, first out; what is prioritized comes before, the last of it first; low ones come last', async () => {
		const { client, add, drain, asked } = await startBusy();
		for (const pid of ['low-1', 'low-2']) add(pid, LOW);
		for (const pid of ['p-1', 'p-2', 'p-3', 'p-4']) add(pid);
		const ratings = client.getStarRatings(['s-1', 's-2']);
		client.prioritize('crawlerReviews', 'p-3');
		client.prioritize('starRating', 's-2');
		client.prioritize('crawlerReviews', 'low-2');
		for (const pid of ['p-0', 'unknown']) client.prioritize('crawlerReviews', pid);
		client.prioritize('productReviewData', 'p-4');
		await drain();
		await ratings;
		expect(asked).toEqual(['p-0', 'low-2', 's-1,s-2', 'p-3', 'p-1', 'p-2', 'p-4', 'low-1']);
	});

	test('who waits for a turn ends at once when the signal aborts, and is not asked for', async () => {
		const { client, add, drain, asked } = await startBusy();
		const controller = new AbortController();
		const ended = errorOf(client.getCrawlerReviews('p-1', { signal: controller.signal }));
		add('p-2');
		controller.abort('over');
		expect(await ended).toBe('over');
		await drain();
		expect(asked).toEqual(['p-0', 'p-2']);
	});

	/** A service that fails for the first requests about p-1. */
	const failing = (times: number, status = 503): Answer => {
		let failures = 0;
		return (call, count) => {
			if (call.pids[0] !== 'p-1' || ++failures > times) return answering(200)(call, count);
			return answering(failures > 2 ? 500 : status)(call, count);
		};
	};

	test.each([
		['sends what failed in all its tries again, behind the others', failing(2), 1, '0 1 1 2 3 1', 'p-1'],
		['sends it no third time, and keeps its first failure', failing(9), 1, '0 1 1 2 3 1 1', 503],
		['does nothing where no request is tried again', failing(1), 0, '0 1 2 3', 503],
		['does nothing after an answer that is final', failing(1, 400), 1, '0 1 2 3', 400],
	])('requeue %s', async (_name, answer, retries, expected, end) => {
		const { add, drain, asked } = await startBusy(answer, retries);
		for (const pid of ['p-1', 'p-2', 'p-3']) add(pid, { requeue: true });
		const [, outcome] = await drain();
		expect(asked.map((pid) => pid.slice(2)).join(' ')).toBe(expected);
		expect(typeof end === 'string' ? outcome : outcome.status).toBe(end);
	});

	test('requeue sends what was prioritized again at once', async () => {
		const { client, add, drain, asked } = await startBusy(failing(2), 1);
		for (const pid of ['p-1', 'p-2']) add(pid, { requeue: true });
		client.prioritize('crawlerReviews', 'p-1');
		expect(await drain()).toEqual(['p-0', 'p-1', 'p-2']);
		expect(asked).toEqual(['p-0', 'p-1', 'p-1', 'p-1', 'p-2']);
	});
});

describe('a service that is down', () => {
	const outage = answering(500);
	const well = answering(200);

	/** A client, and how many of so many operations, one after the other, are refused without a request. */
	function startDown(concurrency?: number, options: Parameters<typeof startStub>[0] = {}) {
		const stub = startStub({ concurrency, ...options });
		return {
			...stub,
			async ask(times: number, answer: Answer, requestOptions = {}) {
				stub.answer(answer);
				let refused = 0;
				for (let count = 0; count < times; count += 1) {
					const end = stub.client.getCrawlerReviews('p-1', requestOptions);
					const error = await end.catch((reason: unknown) => reason);
					if (error instanceof ReviewsPausedError && error.reason === 'failures') refused += 1;
				}
				return refused;
			},
		};
	}

	test.each([1, 8, 16])('is left alone for 30 s, then asked once: concurrency %i', async (concurrency) => {
		const failures = Math.max(20, 3 * concurrency);
		const { client, ask, pass, asked } = startDown(concurrency);
		expect(await ask(failures + 5, outage)).toBe(5);
		expect(asked).toHaveLength(failures);
		pass(29_999);
		const error = await errorOf(client.getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ reason: 'failures', attempts: 0, until: NOW + 30_000 });
		expect(error.message).toBe(
			`[GET https://reviews.example/api/llmRvwHTML] product "p-1": not sent, because the service failed ${failures} times in a row and is left alone until 2026-11-20T12:00:30.000Z. Try again after that.`,
		);
		pass(1);
		const all = await outcomes(pids(10).map((pid) => client.getCrawlerReviews(pid)));
		expect(all.filter((end) => end instanceof ReviewsHttpError)).toHaveLength(1);
		expect(asked).toHaveLength(failures + 1);
		expect(await ask(1, well)).toBe(1);
		pass(30_000);
		expect(await ask(10, well)).toBe(0);
	});

	test.each<[string, Answer]>([
		['a right one', well],
		['one that refuses a product', answering(400)],
		['one that cannot be read', () => new Response('{')],
	])('an answer, %s, starts the count anew and ends the rest', async (_name, answer) => {
		const { ask, pass } = startDown();
		for (let count = 0; count < 10; count += 1) {
			expect(await ask(23, outage)).toBe(0);
			await ask(1, answer);
		}
		expect(await ask(25, outage)).toBe(1);
		pass(30_000);
		expect(await ask(1, answer)).toBe(0);
		expect(await ask(23, outage)).toBe(0);
	});

	test.each<[string, boolean, Answer]>([
		['a broken connection', true, () => Promise.reject(new TypeError('reset'))],
		['a 408', true, answering(408)],
		['a 429', true, answering(429)],
		['a 599', true, answering(599)],
		["a gateway's 404", true, () => new Response('<p>', { status: 404 })],
		['a redirect', true, answering(302, { location: 'https://other.example/' })],
		['a 999', false, () => Object.defineProperty(new Response('{}'), 'status', { value: 999 })],
		['a 404 of the service', false, answering(404)],
		['a 401', false, answering(401)],
	])('%s counts as a failure: %s', async (_name, isFailure, answer) => {
		expect(await startDown().ask(30, answer)).toBe(isFailure ? 6 : 0);
	});

	test('time-outs count as failures', async () => {
		expect(await startDown(8, { timeout: 1 }).ask(26, never)).toBe(2);
	});

	test('requests that were not sent, or that their caller ended, say nothing about it', async () => {
		const { client, ask, answer, asked } = startDown(8, { token: () => Promise.reject(new Error('none')) });
		await ask(23, outage);
		answer(never);
		for (let count = 0; count < 30; count += 1) {
			await errorOf(client.getProductReviewData('p-1'));
			const controller = new AbortController();
			const ended = errorOf(client.getCrawlerReviews('p-1', { signal: controller.signal }));
			await settled();
			controller.abort();
			await ended;
		}
		expect(await ask(2, outage)).toBe(1);
		expect(asked).toHaveLength(23 + 30 + 1);
	});

	test('one list of ratings that fails counts once, although its siblings end with it', async () => {
		const { client, answer } = startDown(8, { maxListLength: 1 });
		answer((call, count) => (call.pids[0] === 'p-0' ? outage : never)(call, count));
		for (let count = 0; count < 10; count += 1) await errorOf(client.getStarRatings(pids(4)));
		expect(await errorOf(client.getStarRatings(['p-0']))).toBeInstanceOf(ReviewsHttpError);
	});

	test.each([LOW, {}])(
		'failures of requests with %j do not stop others, whose answers end both rests',
		async (failing) => {
			const other = failing === LOW ? {} : LOW;
			const { ask } = startDown();
			expect(await ask(25, outage, failing)).toBe(1);
			expect(await ask(1, outage, other)).toBe(0);
			expect(await ask(1, outage, failing)).toBe(1);
			expect(await ask(1, well, other)).toBe(0);
			expect(await ask(1, well, failing)).toBe(0);
		},
	);
});

describe('starts of requests', () => {
	/** A client, and when each of its requests starts, in milliseconds. */
	function startNoting(options: Parameters<typeof startStub>[0], first: Answer = answering(200)) {
		const stub = startStub(options);
		const starts: number[] = [];
		stub.answer((call, count) => {
			starts.push(stub.monotonicNow());
			return (count === 1 ? first : answering(200))(call, count);
		});
		return { ...stub, starts };
	}

	test('are spaced by requestsPerSecond', async () => {
		const { client, starts } = startNoting({ requestsPerSecond: 20 });
		await Promise.all(pids(5).map((pid) => client.getCrawlerReviews(pid)));
		expect(starts).toEqual([0, 50, 100, 150, 200]);
	});

	test('of every operation wait for a pause that the service asks for, and are spaced after it', async () => {
		const others: Promise<unknown>[] = [];
		const onRequest = ({ status }: { status?: number }) => {
			if (status !== 429) return;
			others.push(client.getProductReviewData('p-1'), client.getStarRatings(['p-2']));
		};
		const { client, starts } = startNoting(
			{ requestsPerSecond: 10, retries: 1, onRequest },
			answering(429, { 'retry-after': '10' }),
		);
		await client.getCrawlerReviews('p-0');
		await Promise.all(others);
		expect(starts).toEqual([0, 10_000, 10_100, 10_200]);
	});
});
