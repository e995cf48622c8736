import { ReviewServiceError } from '../errors.js';
import { isOutage } from './is-outage.js';

/** Failures in a row, for each request that may be in flight, after which the service counts as down. */
const FAILURES_A_SLOT = 3;
/** Fewest failures in a row that mean anything. */
const LEAST_FAILURES = 20;
/** How long a service that is down is left alone, in milliseconds. */
const REST = 30_000;

/** Stops asking a service that does not answer: each product would cost its full time limit, for hours. */
export interface Breaker {
	/**
	 * Runs a request, unless the service counts as down. After the rest one request finds out whether it still is.
	 * @throws ReviewServiceError where the request is not made, and what the request throws.
	 */
	run<Answer>(request: () => Promise<Answer>): Promise<Answer>;
	/** Is told that the service answered something else. */
	recover(): void;
}

/** @param now milliseconds, of a clock that is never set back. @default performance.now */
export function createBreaker(concurrency: number, now: () => number = () => performance.now()): Breaker {
	const most = Math.max(LEAST_FAILURES, FAILURES_A_SLOT * concurrency);
	let failures = 0;
	let restUntil = Number.NEGATIVE_INFINITY;
	const recover = () => {
		failures = 0;
		restUntil = Number.NEGATIVE_INFINITY;
	};
	return {
		recover,
		async run(request) {
			if (now() < restUntil) throw resting(failures);
			// The one that finds out; the others rest until it has.
			if (failures >= most) restUntil = now() + REST;
			try {
				const answer = await request();
				recover();
				return answer;
			} catch (error) {
				if (isOutage(error)) {
					failures += 1;
					if (failures >= most) restUntil = now() + REST;
				} else {
					failures = 0;
				}
				throw error;
			}
		},
	};
}

function resting(failures: number): ReviewServiceError {
	return new ReviewServiceError(
		`the service failed ${failures} times in a row and is not asked for ${REST / 1_000} s.`,
		'Build again when the service answers.',
	);
}
