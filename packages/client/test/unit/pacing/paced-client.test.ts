import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, test } from 'vitest';
import { type ReviewsClient, ReviewsHttpError, ReviewsPausedError } from '../../../src/index.js';
import { answerWell, type Behaviour, sendStatus } from '../../support/server.js';
import { useSetup } from '../../support/setup.js';

const setup = useSetup();
const PIDS = Array.from({ length: 200 }, (_, index) => `p-${index}`);

/** A service that takes 10 ms for an answer, and refuses what comes while more than `most` requests are in flight. */
function refusingAbove(most: number) {
	const seen = { refused: 0, mostInFlight: 0 };
	let inFlight = 0;
	setup.server.answer((response, call, count) => {
		inFlight += 1;
		seen.mostInFlight = Math.max(seen.mostInFlight, inFlight);
		const isRefused = inFlight > most;
		if (isRefused) seen.refused += 1;
		setTimeout(() => {
			inFlight -= 1;
			if (isRefused) sendStatus(response, 429);
			else answerWell(response, call, count);
		}, 10);
	});
	return seen;
}

const getAll = (client: ReviewsClient, pids: readonly string[] = PIDS) =>
	Promise.all(pids.map((pid) => client.getCrawlerReviews(pid)));

/** What operations come to: their products, or the errors that they throw. */
const outcomes = async (all: readonly Promise<{ pid: string }>[]) =>
	(await Promise.allSettled(all)).map((end) => (end.status === 'fulfilled' ? end.value.pid : end.reason));

describe('requests in flight', () => {
	test('are as many as the option concurrency says while the service copes, whatever the operations', async () => {
		const seen = refusingAbove(1_000);
		const client = setup.client({ concurrency: 16, maxListLength: 10 });
		const ratings = client.getStarRatings(PIDS);
		await Promise.all([getAll(client), ratings, client.getProductReviewData('p-1')]);
		expect(seen.mostInFlight).toBeLessThanOrEqual(16);
		// A machine that is busy otherwise is slow to open connections.
		expect(seen.mostInFlight).toBeGreaterThan(8);
	});

	test('are eight at once without the option', async () => {
		const seen = refusingAbove(1_000);
		await getAll(setup.client());
		expect(seen.mostInFlight).toBeLessThanOrEqual(8);
		expect(seen.mostInFlight).toBeGreaterThan(4);
	});

	test('become fewer where the service refuses: few are refused, and all answers come', async () => {
		const seen = refusingAbove(4);
		const client = setup.client({
			concurrency: 16,
			retries: 20,
			now: Date.now,
			sleep: undefined,
			random: () => 0.01,
		});
		expect(await getAll(client)).toHaveLength(200);
		expect(seen.refused).toBeLessThan(100);
	});
});

describe('a service that is down', () => {
	const down: Behaviour = (response) => sendStatus(response, 500);

	test('is asked 20 times, then left alone for 30 seconds, then asked once', async () => {
		setup.server.answer(down);
		const client = setup.client({ concurrency: 1, retries: 0 });
		const errors = await outcomes(PIDS.map((pid) => client.getCrawlerReviews(pid)));
		expect(setup.server.calls).toHaveLength(20);
		expect(errors.filter((error) => error instanceof ReviewsHttpError)).toHaveLength(20);
		const until = setup.time.now() + 30_000;
		expect(errors.at(-1)).toMatchObject({
			name: 'ReviewsPausedError',
			reason: 'failures',
			attempts: 0,
			until,
		});
		expect(errors.at(-1).message).toBe(
			`[GET /api/llmRvwHTML] product "p-199": not sent, because the service failed 20 times in a row and is left alone until ${new Date(until).toISOString()}. Try again after that.`,
		);

		setup.time.advance(30_000);
		await outcomes(PIDS.map((pid) => client.getCrawlerReviews(pid)));
		expect(setup.server.calls).toHaveLength(21);
	});

	test('only for made-up ids: other products are still asked for', async () => {
		const fails = (pid = '') => pid.startsWith('made-up');
		setup.server.answer((response, call, count) =>
			fails(call.pids[0]) ? down(response, call, count) : answerWell(response, call, count),
		);
		const client = setup.client({ retries: 0 });
		const low = { priority: 'low' } as const;
		const madeUp = await outcomes(PIDS.map((pid) => client.getCrawlerReviews(`made-up-${pid}`, low)));
		expect(madeUp.at(-1)).toBeInstanceOf(ReviewsPausedError);
		expect(await errorOf(client.getStarRatings(['p-1'], low))).toBeInstanceOf(ReviewsPausedError);
		expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
		expect(await client.getCrawlerReviews('p-2', low)).toMatchObject({ pid: 'p-2' });
	});

	test('one list of ratings that fails counts once, although its siblings end with it', async () => {
		setup.server.answer(down);
		const client = setup.client({ retries: 0, maxListLength: 1 });
		for (let count = 0; count < 10; count++)
			await errorOf(client.getStarRatings(['p-1', 'p-2', 'p-3', 'p-4']));
		const error = await errorOf(client.getStarRatings(['p-1']));
		expect(error).toBeInstanceOf(ReviewsHttpError);
	});
});

describe('requeue', () => {
	/** A service that fails for the first requests about p-0, and a client with one request in flight. */
	async function failFirst(failures: number, options: { retries?: number } = {}) {
		let left = failures;
		setup.server.answer((response, call, count) => {
			const isFailing = call.pids[0] === 'p-0' && left-- > 0;
			if (isFailing) sendStatus(response, 503);
			else answerWell(response, call, count);
		});
		const client = setup.client({ concurrency: 1, retries: 1, ...options });
		const all = ['p-0', 'p-1', 'p-2'].map((pid) => client.getCrawlerReviews(pid, { requeue: true }));
		const ended = await outcomes(all);
		return { ended, asked: setup.server.calls.map(({ pids }) => pids[0]) };
	}

	test('sends a request for which all tries failed once more, behind the others', async () => {
		const { ended, asked } = await failFirst(2);
		expect(ended).toEqual(['p-0', 'p-1', 'p-2']);
		expect(asked).toEqual(['p-0', 'p-0', 'p-1', 'p-2', 'p-0']);
	});

	test('sends it no third time', async () => {
		const { ended, asked } = await failFirst(100);
		expect(ended[0]).toMatchObject({ status: 503, attempts: 2 });
		expect(asked).toHaveLength(6);
	});

	test('does nothing where no request is tried again', async () => {
		const { ended, asked } = await failFirst(1, { retries: 0 });
		expect(ended[0]).toMatchObject({ status: 503, attempts: 1 });
		expect(asked).toEqual(['p-0', 'p-1', 'p-2']);
	});

	test('does nothing after an answer that is final', async () => {
		setup.server.answer((response) => sendStatus(response, 400));
		const failed = errorOf(setup.client().getCrawlerReviews('p-0', { requeue: true }));
		expect(await failed).toMatchObject({ status: 400 });
		expect(setup.server.calls).toHaveLength(1);
	});
});

test('a product that is prioritized is asked for next', async () => {
	const client = setup.client({ concurrency: 1 });
	const all = ['p-0', 'p-1', 'p-2'].map((pid) => client.getProductReviewData(pid));
	await new Promise(setImmediate);
	client.prioritize('productReviewData', 'p-2');
	await Promise.all(all);
	expect(setup.server.calls.map(({ pids }) => pids[0])).toEqual(['p-0', 'p-2', 'p-1']);
});

test('an operation that waits for its turn ends at once when its signal aborts', async () => {
	setup.server.answer(() => {});
	const client = setup.client({ concurrency: 1, timeout: 500, retries: 0 });
	const first = errorOf(client.getCrawlerReviews('p-0'));
	const controller = new AbortController();
	const second = errorOf(client.getCrawlerReviews('p-1', { signal: controller.signal }));
	controller.abort('over');
	expect(await second).toBe('over');
	await first;
	expect(setup.server.calls).toHaveLength(1);
});
