import { ReviewsHttpError, ReviewsResponseError } from '../errors/index.js';
import { isOutage } from './is-outage.js';
import type { PacedRequest, Priority } from './paced-request.js';

/** Why a request is not sent. */
export interface Rest {
	/** Number of failures in a row. */
	readonly failures: number;
	/** Remaining rest of the service, in milliseconds. */
	readonly milliseconds: number;
}

/** Stops sending requests to a service that is down. Otherwise each product would take its full time limit, for hours. */
export interface Breaker {
	/**
	 * Sends a request, unless the service is considered down. After the rest, one request probes whether it still is.
	 *
	 * @param refuse creates the error for a request that is not sent.
	 * @throws the error from `refuse`, or what `send` throws.
	 */
	run<Answer>(
		request: Pick<PacedRequest, 'priority' | 'signal'>,
		send: () => Promise<Answer>,
		refuse: (rest: Rest) => Error,
	): Promise<Answer>;
}

/** The service is considered down after this many failures in a row for each request that may be in flight ... */
const FAILURES_A_SLOT = 3;
/** ... but not after fewer than this. */
const LEAST_FAILURES = 20;
/** How long no requests are sent to a service that is down, in milliseconds. */
const REST = 30_000;

/**
 * A circuit breaker with a count per priority. Failures of low-priority requests, whose product ids may be made up,
 * never stop the others. An answer to any request shows that the service is up, and ends both rests.
 *
 * @param concurrency maximum number of requests in flight.
 * @param now monotonic clock, in milliseconds.
 */
export function createBreaker(concurrency: number, now: () => number): Breaker {
	const most = Math.max(LEAST_FAILURES, FAILURES_A_SLOT * concurrency);
	const states: Record<Priority, State> = { normal: closed(), low: closed() };
	return {
		async run({ priority = 'normal', signal }, send, refuse) {
			const state = states[priority];
			const milliseconds = state.restUntil - now();
			if (milliseconds > 0) throw refuse({ failures: state.failures, milliseconds });
			// This request is the probe. The others wait for its result.
			if (state.failures >= most) state.restUntil = now() + REST;
			try {
				const answer = await send();
				Object.assign(states.normal, closed());
				Object.assign(states.low, closed());
				return answer;
			} catch (error) {
				// A request aborted by its caller says nothing about the service.
				if (signal?.aborted) throw error;
				if (isOutage(error)) {
					state.failures += 1;
					if (state.failures >= most) state.restUntil = now() + REST;
				} else if (isAnswer(error)) {
					Object.assign(state, closed());
				}
				throw error;
			}
		},
	};
}

interface State {
	/** Failures in a row. */
	failures: number;
	restUntil: number;
}

function closed(): State {
	return { failures: 0, restUntil: Number.NEGATIVE_INFINITY };
}

/** Whether the service answered, even if not successfully. */
function isAnswer(error: unknown): boolean {
	return error instanceof ReviewsHttpError || error instanceof ReviewsResponseError;
}
