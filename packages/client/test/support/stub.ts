import { NOW } from 'product-reviews-test-support/clock';
import { settled } from 'product-reviews-test-support/promises';
import { createReviewsClient, type ReviewsClientOptions } from '../../src/index.js';
import { payloadAt } from './payloads.js';
import { createFakeTime } from './setup.js';

/** Answers a request about these products, now or later; `count` is 1 for the first one. */
export type StubAnswer = (pids: readonly string[], count: number) => Response | Promise<Response>;

export const answering =
	(status: number, headers: Record<string, string> = {}): StubAnswer =>
	() =>
		new Response(status === 200 ? null : '{}', { status, headers });

/** A client of a service that is a function: without sockets, and with two clocks, of which one may be set. */
export function startStub(options: Partial<ReviewsClientOptions> = {}) {
	const time = createFakeTime();
	/** How far the clock on the wall was set forward. */
	let ahead = 0;
	const now = () => time.now() + ahead;
	const monotonicNow = () => time.now() - NOW;
	/** In whole milliseconds, as timers are. */
	const sleep = (milliseconds: number, signal = new AbortController().signal) =>
		time.sleep(Math.ceil(milliseconds), signal);
	const asked: string[] = [];
	const open: ((status: number) => void)[] = [];
	let answer = answering(200);
	const client = createReviewsClient({
		baseUrl: 'https://reviews.example',
		wsid: 'W-1',
		token: 'token',
		retries: 0,
		now,
		monotonicNow,
		sleep,
		random: () => 0.5,
		fetch: async (input, init) => {
			const { pathname, searchParams } = new URL(String(input));
			const { listProductId, productId } = JSON.parse(String(init?.body ?? '{}'));
			const pids: string[] = listProductId ?? [productId ?? searchParams.get('pid')];
			const given = await answer(pids, asked.push(pids.join()));
			return given.ok && !given.body ? Response.json(payloadAt(pathname, pids)) : given;
		},
		...options,
	});
	return {
		client,
		asked,
		open,
		now,
		monotonicNow,
		sleep,
		/** Time that passes for both clocks. */
		pass: time.advance,
		/** Sets the clock on the wall. */
		setForward(milliseconds: number) {
			ahead += milliseconds;
		},
		/** From now on this answers every request. A good answer without a body gets the documented one. */
		answer(next: StubAnswer) {
			answer = next;
		},
		/** From now on every request is open until the test ends it, with these headers. */
		hold(headers?: Record<string, string>) {
			answer = (pids, count) => {
				const { promise, resolve } = Promise.withResolvers<Response>();
				open.push((status) => resolve(answering(status, headers)(pids, count)));
				return promise;
			};
		},
		/** Ends the request that has been open for longest. */
		async end(status: number) {
			open.shift()?.(status);
			await settled();
		},
	};
}
