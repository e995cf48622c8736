import type { TryFailure } from './try-failure.js';

/** The cost of a retry, and how long the first one waits. */
export interface RetryRule {
	/** Tokens of the retry budget. */
	readonly cost: number;
	/** First window of the backoff, in milliseconds. */
	readonly base: number;
	/** Pause requested by the service, in milliseconds. */
	readonly pause?: number | undefined;
}

/**
 * Whether and how to retry after a failure; `undefined` if it is final. Temporary statuses, broken connections and
 * timeouts are retried. Anything else would fail the same way again.
 */
export function retryRule(failure: TryFailure): RetryRule | undefined {
	switch (failure.kind) {
		case 'network':
			return { cost: RETRY_COST, base: BASE_IN_MS };
		case 'timeout':
			return { cost: TIMEOUT_RETRY_COST, base: BASE_IN_MS };
		case 'http':
			if (!isPassing(failure.status)) return undefined;
			return {
				cost: RETRY_COST,
				base: failure.status === TOO_MANY_REQUESTS ? THROTTLED_BASE_IN_MS : BASE_IN_MS,
				pause: failure.retryAfter,
			};
		case 'response':
			return undefined;
	}
}

const BASE_IN_MS = 200;
const THROTTLED_BASE_IN_MS = 1_000;
const RETRY_COST = 5;
/** A timeout costs more because it occupies a connection of the service for a long time. */
const TIMEOUT_RETRY_COST = 10;

const REQUEST_TIMEOUT = 408;
const TOO_EARLY = 425;
const TOO_MANY_REQUESTS = 429;
const PASSING_STATUSES: ReadonlySet<number> = new Set([REQUEST_TIMEOUT, TOO_EARLY, TOO_MANY_REQUESTS]);

/** Statuses above 599 do not exist. Whatever answers 999 will do so again. */
function isPassing(status: number): boolean {
	return PASSING_STATUSES.has(status) || (status >= 500 && status <= 599);
}
