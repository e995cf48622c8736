import { createClock } from 'product-reviews-test-support/clock';
import { afterEach, beforeEach } from 'vitest';
import { createReviewsClient, type RequestEvent, type ReviewsClientOptions } from '../../src/index.js';
import { startServer } from './server.js';

export const TOKEN = 'canary-token-7f3a';

/** What a test of the client works with; made anew for each test. */
export function useSetup() {
	const setup = {} as Awaited<ReturnType<typeof makeSetup>>;
	beforeEach(async () => {
		Object.assign(setup, await makeSetup());
	});
	afterEach(() => setup.server.close());
	return setup;
}

async function makeSetup() {
	const server = await startServer();
	const time = createFakeTime();
	const events: RequestEvent[] = [];
	/** A client of the server, with the fake clock and the longest jitter. */
	const client = (options: Partial<ReviewsClientOptions> = {}) =>
		createReviewsClient({
			baseUrl: server.origin,
			wsid: 'W-1',
			token: TOKEN,
			now: time.now,
			sleep: time.sleep,
			random: () => 0.999_999,
			onRequest: (event) => events.push(event),
			...options,
		});
	return { server, time, events, client };
}

/** A clock that stands still, and jumps to the next sleeper's end when everybody sleeps. */
export function createFakeTime() {
	const { now, pass, after, skip } = createClock();
	/** How long each sleep was to be. */
	const slept: number[] = [];
	return {
		now,
		slept,
		advance: pass,
		sleep(milliseconds: number, signal: AbortSignal) {
			slept.push(milliseconds);
			return new Promise<void>((resolve, reject) => {
				if (signal.aborted) return reject(signal.reason);
				const wake = after(milliseconds, resolve);
				signal.addEventListener('abort', () => {
					wake();
					reject(signal.reason);
				});
				setTimeout(skip, 2);
			});
		},
	};
}
