import { ReviewsHttpError, ReviewsResponseError } from '../errors/index.js';
import { isOutage } from './is-outage.js';
import type { PacedRequest, Priority } from './paced-request.js';

/** Why a request is not sent. */
export interface Rest {
	/** How often the service has failed in a row. */
	readonly failures: number;
	/** How much longer the service is left alone, in milliseconds. */
	readonly milliseconds: number;
}

/** Stops asking a service that does not answer: otherwise each product would cost its full time limit, for hours. */
export interface Breaker {
	/**
	 * Sends a request, unless the service counts as down. After the rest one request finds out whether it still is.
	 *
	 * @param refuse makes the error for a request that is not sent.
	 * @throws what `refuse` gives, or what `send` throws.
	 */
	run<Answer>(
		request: Pick<PacedRequest, 'priority' | 'signal'>,
		send: () => Promise<Answer>,
		refuse: (rest: Rest) => Error,
	): Promise<Answer>;
}

/** Failures in a row, for each request that may be in flight, after which the service counts as down. */
const FAILURES_A_SLOT = 3;
/** Fewest failures in a row that mean anything. */
const LEAST_FAILURES = 20;
/** How long a service that is down is left alone, in milliseconds. */
const REST = 30_000;

/**
 * A circuit breaker with a count for each priority: failures of low-priority requests, whose product ids anybody may have
 * made up, never stop the others. An answer to any request shows that the service is up, and ends both rests.
 *
 * @param concurrency most requests in flight at once.
 * @param now milliseconds, on a clock that is never set back.
 */
export function createBreaker(concurrency: number, now: () => number): Breaker {
	const most = Math.max(LEAST_FAILURES, FAILURES_A_SLOT * concurrency);
	const states: Record<Priority, State> = { normal: closed(), low: closed() };
	return {
		async run({ priority = 'normal', signal }, send, refuse) {
			const state = states[priority];
			const milliseconds = state.restUntil - now();
			if (milliseconds > 0) throw refuse({ failures: state.failures, milliseconds });
			// This request finds out; the others rest until it has.
			if (state.failures >= most) state.restUntil = now() + REST;
			try {
				const answer = await send();
				Object.assign(states.normal, closed());
				Object.assign(states.low, closed());
				return answer;
			} catch (error) {
				// A request that its caller ended says nothing about the service.
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

/** Whether the service answered, although not with what it was asked for. */
function isAnswer(error: unknown): boolean {
	return error instanceof ReviewsHttpError || error instanceof ReviewsResponseError;
}
