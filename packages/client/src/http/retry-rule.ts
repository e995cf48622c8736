import type { TryFailure } from './try-failure.js';

/** What a retry costs, and how long the first one waits. */
export interface RetryRule {
	/** Tokens of the retry budget. */
	readonly cost: number;
	/** First window of the backoff, in milliseconds. */
	readonly base: number;
	/** Pause that the service asked for, in milliseconds. */
	readonly pause?: number | undefined;
}

/**
 * Whether a failure is worth another try, and on what terms; `undefined` where it is final. Statuses that tell of
 * a passing state are tried again, and so are a broken connection and a time-out; anything else would be
 * answered the same way again.
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
/** A time-out holds a connection of the service for long: it costs more. */
const TIMEOUT_RETRY_COST = 10;

const REQUEST_TIMEOUT = 408;
const TOO_EARLY = 425;
const TOO_MANY_REQUESTS = 429;
const PASSING_STATUSES: ReadonlySet<number> = new Set([REQUEST_TIMEOUT, TOO_EARLY, TOO_MANY_REQUESTS]);

/** Above 599 there is no status: what answers 999 answers it again. */
function isPassing(status: number): boolean {
	return PASSING_STATUSES.has(status) || (status >= 500 && status <= 599);
}
