import { createClock } from 'product-reviews-test-support/clock';
import { afterEach, beforeEach } from 'vitest';
import {
	createReviewsClient,
	type RequestEvent,
	type ReviewsClient,
	type ReviewsClientOptions,
} from '../../src/index.js';
import { startServer, type TestServer } from './server.js';

/** What a test of the client works with; made anew for each test. */
export interface Setup {
	server: TestServer;
	time: ReturnType<typeof createFakeTime>;
	events: RequestEvent[];
	/** A client of the server, with the fake clock and the longest jitter. */
	client(options?: Partial<ReviewsClientOptions>): ReviewsClient;
}

export const TOKEN = 'canary-token-7f3a';

export function useSetup(): Setup {
	const setup = {} as Setup;
	beforeEach(async () => {
		const server = await startServer();
		const time = createFakeTime();
		const events: RequestEvent[] = [];
		Object.assign(setup, {
			server,
			time,
			events,
			client: (options: Partial<ReviewsClientOptions> = {}) =>
				createReviewsClient({
					baseUrl: server.origin,
					wsid: 'W-1',
					token: TOKEN,
					now: time.now,
					sleep: time.sleep,
					random: () => 0.999_999,
					onRequest: (event) => events.push(event),
					...options,
				}),
		});
	});
	afterEach(() => setup.server.close());
	return setup;
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
