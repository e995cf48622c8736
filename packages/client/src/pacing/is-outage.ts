import {
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from '../errors/index.js';

/**
 * Whether an error says that the service is down or too busy, rather than that one product is wrong. The client's own
 * refusal to ask a service that failed too often says nothing new.
 */
export function isOutage(error: unknown): boolean {
	if (error instanceof ReviewsNetworkError || error instanceof ReviewsTimeoutError) return true;
	if (error instanceof ReviewsPausedError) return error.reason === 'retry-after';
	if (error instanceof ReviewsHttpError) return BUSY.has(error.status) || isServerError(error.status);
	// Something other than the service answered.
	return error instanceof ReviewsResponseError && FOREIGN_REASONS.has(error.reason);
}

/** Request timeout, too many requests. */
const BUSY: ReadonlySet<number> = new Set([408, 429]);
const FOREIGN_REASONS: ReadonlySet<string> = new Set(['foreign', 'redirect']);

/** There is no status above 599: whatever answers 999 is not a service that is down. */
function isServerError(status: number): boolean {
	return status >= 500 && status <= 599;
}
