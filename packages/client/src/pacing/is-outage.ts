import {
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from '../errors/index.js';

/**
 * Whether an error means that the service is down or too busy, rather than a problem with one product. The client's own
 * refusal to send requests after too many failures says nothing new.
 */
export function isOutage(error: unknown): boolean {
	if (error instanceof ReviewsNetworkError || error instanceof ReviewsTimeoutError) return true;
	if (error instanceof ReviewsPausedError) return error.reason === 'retry-after';
	if (error instanceof ReviewsHttpError) return BUSY.has(error.status) || isServerError(error.status);
	// Something other than the service answered.
	return error instanceof ReviewsResponseError && FOREIGN_REASONS.has(error.reason);
}

/** "Request timeout", "too many requests". */
const BUSY: ReadonlySet<number> = new Set([408, 429]);
const FOREIGN_REASONS: ReadonlySet<string> = new Set(['foreign', 'redirect']);

/** Statuses above 599 do not exist. Whatever answers 999 is not a service that is down. */
function isServerError(status: number): boolean {
	return status >= 500 && status <= 599;
}
