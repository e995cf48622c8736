import {
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from 'product-reviews-client';
import { type FailureKind, ReviewPayloadError, ReviewServiceError } from '../errors.js';

/** What the service or the client made of a request, in one word. What nobody knows is `'other'`. */
export function kindOf(error: unknown): FailureKind {
	if (error instanceof ReviewServiceError) return error.kind;
	if (error instanceof ReviewPayloadError) return 'unreadable';
	if (error instanceof ReviewsNetworkError) return 'network';
	if (error instanceof ReviewsTimeoutError) return 'timeout';
	if (error instanceof ReviewsPausedError) return 'rate-limited';
	if (error instanceof ReviewsHttpError) return kindOfStatus(error.status);
	if (error instanceof ReviewsResponseError) return KINDS_OF_REASONS[error.reason] ?? 'unreadable';
	return 'other';
}

/** Reasons for which an answer is more than unreadable. */
const KINDS_OF_REASONS: Readonly<Record<string, FailureKind | undefined>> = {
	foreign: 'foreign-answer',
	redirect: 'foreign-answer',
	'wrong-product': 'wrong-product',
};

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
/** Bad request, unauthorized, forbidden: what is asked, or who asks, is wrong. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/** A status that HTTP does not know (999), or that is no answer to such a request (204), is no answer that can be read. */
function kindOfStatus(status: number | undefined = 0): FailureKind {
	if (status === REQUEST_TIMEOUT) return 'timeout';
	if (status === TOO_MANY_REQUESTS) return 'rate-limited';
	if (REFUSALS.has(status)) return 'refused';
	if (status >= 400 && status <= 499) return 'client-error';
	return status >= 500 && status <= 599 ? 'server-error' : 'unreadable';
}
