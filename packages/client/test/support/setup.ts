import { STATUS_CODES } from 'node:http';
import { createClock, errorOf, NOW, settled } from 'product-reviews-test-support/clock';
import { beforeEach } from 'vitest';
import { createReviewsClient, type RequestEvent, type ReviewsClientOptions } from '../../src/index.js';
import { payloadAt } from './payloads.js';

export const TOKEN = 'canary-token-7f3a';
export const ORIGIN = 'https://reviews.example';

interface Call {
	readonly method: string | undefined;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
	readonly pids: readonly string[];
}

/** Answers a request, now or later; `count` is 1 for the first one of all. A good answer without a body gets the documented one. */
export type Answer = (call: Call, count: number) => Response | Promise<Response>;

export const answering =
	(status: number, headers: Record<string, string> = {}): Answer =>
	() =>
		new Response([200, 204, 304].includes(status) ? null : '{}', {
			status,
			statusText: STATUS_CODES[status] ?? '',
			headers,
		});

export const never: Answer = () => new Promise(() => {});

/** Options of a client that waits as others do. */
export const REAL_TIME = { now: undefined, monotonicNow: undefined, sleep: undefined };

/** A service that is a function, without sockets, and two clocks that stand still, and jump when everybody sleeps. */
function startService() {
	const clock = createClock();
	/** How far the clock on the wall was set forward. */
	let ahead = 0;
	const now = () => clock.now() + ahead;
	const monotonicNow = () => clock.now() - NOW;
	const slept: number[] = [];
	const calls: Call[] = [];
	const asked: string[] = [];
	const events: RequestEvent[] = [];
	const open: ((status: number) => void)[] = [];
	let answer = answering(200);
	const fetch: typeof globalThis.fetch = async (input, init) => {
		const { pathname, search, searchParams } = new URL(String(input));
		const body = init?.body ? JSON.parse(String(init.body)) : undefined;
		const pids: string[] = body?.listProductId ?? [body?.productId ?? searchParams.get('pid')];
		const headers = Object.fromEntries(new Headers(init?.headers));
		const call = { method: init?.method, url: pathname + search, headers, body, pids };
		asked.push(pids.join());
		const given = await answer(call, calls.push(call));
		return given.status === 200 && !given.body ? Response.json(payloadAt(pathname, pids)) : given;
	};
	/** In whole milliseconds, as timers are. */
	const sleep = (milliseconds: number, signal: AbortSignal) => {
		slept.push(milliseconds);
		return new Promise<void>((resolve, reject) => {
			if (signal.aborted) return reject(signal.reason);
			const wake = clock.after(Math.ceil(milliseconds), resolve);
			signal.addEventListener('abort', () => {
				wake();
				reject(signal.reason);
			});
			setTimeout(clock.skip, 2);
		});
	};
	/** A client of it, with its clocks and the longest jitter. */
	const client = (options: Partial<ReviewsClientOptions> = {}) =>
		createReviewsClient({
			...{ baseUrl: ORIGIN, wsid: 'W-1', token: TOKEN, fetch },
			...{ now, monotonicNow, sleep, random: () => 0.999_999 },
			onRequest: (event) => events.push(event),
			...options,
		});
	return {
		calls,
		asked,
		events,
		open,
		slept,
		now,
		monotonicNow,
		fetch,
		client,
		/** Time that passes for both clocks. */
		pass: clock.pass,
		setForward(milliseconds: number) {
			ahead += milliseconds;
		},
		answer(next: Answer) {
			answer = next;
		},
		/** What a request for the reviews of p-1 ends with if it is answered so. */
		failure(next: Answer, options?: Partial<ReviewsClientOptions>) {
			answer = next;
			return errorOf(client(options).getCrawlerReviews('p-1'));
		},
		/** From now on every request is open until the test ends it, with these headers. */
		hold(headers?: Record<string, string>) {
			answer = (call, count) => {
				const { promise, resolve } = Promise.withResolvers<Response>();
				open.push((status) => resolve(answering(status, headers)(call, count)));
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

export function useSetup() {
	const setup = {} as ReturnType<typeof startService>;
	beforeEach(() => void Object.assign(setup, startService()));
	return setup;
}

/** A service with one client, which tries nothing again by itself. */
export function startStub(options: Partial<ReviewsClientOptions> = {}) {
	const service = startService();
	return { ...service, client: service.client({ retries: 0, random: () => 0.5, ...options }) };
}
