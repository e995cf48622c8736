import {
	ReviewsError,
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from 'product-reviews-client/errors';
import type { ErrorCode } from '../errors/catalogue.js';
import {
	CODES_OF_KINDS,
	type FailureKind,
	ProductReviewsError,
	type Refusal,
	ReviewPayloadError,
	ReviewServiceError,
} from '../errors.js';

/** The kind of a failure of the service or the client; `'other'` if it is not a known one. */
export function kindOf(error: unknown): FailureKind {
	if (error instanceof ReviewServiceError) return error.kind;
	if (error instanceof ReviewPayloadError) return 'unreadable';
	if (error instanceof ReviewsNetworkError) return 'network';
	if (error instanceof ReviewsTimeoutError) return 'timeout';
	if (error instanceof ReviewsPausedError) return error.reason === 'failures' ? 'other' : 'rate-limited';
	if (error instanceof ReviewsHttpError) return kindOfStatus(error.status);
	if (error instanceof ReviewsResponseError) return KINDS_OF_REASONS[error.reason] ?? 'unreadable';
	return 'other';
}

/** The code of any error of this package or the client; that of a failure for all others. */
export function codeOf(error: unknown): ErrorCode {
	if (error instanceof ProductReviewsError || error instanceof ReviewsError) return error.code;
	return CODES_OF_KINDS[kindOf(error)];
}

/** Reasons of the client that are more specific than an unreadable answer. */
const KINDS_OF_REASONS: Readonly<Record<string, FailureKind | undefined>> = {
	foreign: 'foreign-answer',
	redirect: 'foreign-answer',
	'wrong-product': 'wrong-product',
};

const NOT_FOUND = 404;
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
/** Bad request, unauthorized, forbidden: the request or its credentials are wrong. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403]);

/** A status that does not exist in HTTP (999), or does not fit the request (204), counts as an unreadable answer. */
function kindOfStatus(status: number | undefined = 0): FailureKind {
	if (status === REQUEST_TIMEOUT) return 'timeout';
	if (status === TOO_MANY_REQUESTS) return 'rate-limited';
	if (REFUSED.has(status)) return 'refused';
	if (status >= 400 && status <= 499) return 'client-error';
	return status >= 500 && status <= 599 ? 'server-error' : 'unreadable';
}

/** The refusal behind an error of this thread or another; `undefined` for any other failure. */
export function refusalOf(error: unknown): Refusal | undefined {
	if (error instanceof ReviewServiceError) return error.refusal;
	if (!(error instanceof ReviewsHttpError) || !isRefusal(error.status)) return undefined;
	return { status: error.status, operation: error.operation };
}

/** A product or path that does not exist is a refusal too: the id may be wrong. */
function isRefusal(status: number): boolean {
	return REFUSED.has(status) || status === NOT_FOUND;
}
