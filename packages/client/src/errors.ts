import type { Operation } from './contract.js';

/** Names a kind of problem, for programs and for `npx astro-product-reviews explain`. */
export type ReviewsErrorCode =
	| 'PR_INVALID_OPTIONS'
	| 'PR_INVALID_URL'
	| 'PR_INVALID_PRODUCT_ID'
	| 'PR_MISSING_TOKEN'
	| 'PR_TOKEN_UNUSABLE'
	| 'PR_SERVICE_UNREACHABLE'
	| 'PR_SERVICE_TIMEOUT'
	| 'PR_SERVICE_ERROR'
	| 'PR_RATE_LIMITED'
	| 'PR_REQUEST_REFUSED'
	| 'PR_REQUEST_REJECTED'
	| 'PR_FOREIGN_RESPONSE'
	| 'PR_UNREADABLE_RESPONSE'
	| 'PR_WRONG_PRODUCT'
	| 'PR_SERVICE_PAUSED'
	| 'PR_PROVIDER_FAILED';

/** The failed request, of which every error of this package says what is known. */
export interface ReviewsErrorDetails {
	operation?: Operation | undefined;
	pids?: readonly string[];
	status?: number | undefined;
	attempts?: number;
	url?: string | undefined;
	cause?: unknown;
}

/**
 * Base class of every error of this package, so that a single `instanceof` recognizes them.
 *
 * No error contains a secret: `url` has no query string, and `cause` is a copy of the underlying error without the token
 * and without properties added by a runtime or a custom `fetch`.
 *
 * @example if (error instanceof ReviewsError) console.warn(error.message, error.status, error.attempts);
 */
export class ReviewsError extends Error {
	override name = 'ReviewsError';
	readonly code: ReviewsErrorCode;
	/** `undefined` if no operation was started. */
	declare readonly operation: Operation | undefined;
	/** Ids of the requested products, as passed by the caller. */
	readonly pids: readonly string[] = [];
	/** Status of the last response; `undefined` if there was none. */
	declare readonly status: number | undefined;
	/** Number of requests that were sent. */
	readonly attempts: number = 0;
	/** URL of the request, without its query string. */
	declare readonly url: string | undefined;

	/** @param details the details of a subclass become properties, too. */
	constructor(code: ReviewsErrorCode, message: string, { cause, ...details }: ReviewsErrorDetails = {}) {
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
		Object.assign(this, details);
	}

	/** `true` if the same request may succeed later. Statuses above 599 do not exist: whatever answers 999 will do so again. */
	get isTemporary(): boolean {
		return TEMPORARY.has(this.code) || this.status === TOO_EARLY;
	}

	/** Id of the requested product; `undefined` if there was none or more than one. */
	get pid(): string | undefined {
		return this.pids.length === 1 ? this.pids[0] : undefined;
	}
}

const TEMPORARY: ReadonlySet<ReviewsErrorCode> = new Set([
	'PR_SERVICE_UNREACHABLE',
	'PR_SERVICE_TIMEOUT',
	'PR_SERVICE_ERROR',
	'PR_RATE_LIMITED',
	'PR_PROVIDER_FAILED',
]);

const TOO_EARLY = 425;

/**
 * An option or an argument is invalid. Thrown before any request, with one exception: the `token` function is called when a
 * token is needed, and this error reports its failure.
 */
export class ReviewsConfigurationError extends ReviewsError {
	override name = 'ReviewsConfigurationError';

	constructor(message: string, code: ReviewsErrorCode = 'PR_INVALID_OPTIONS') {
		super(code, message);
	}
}

/**
 * The service responded with a status other than 200 (404 is not an error, nor is 304 for a request with `known`). 408,
 * 425, 429 and 5xx were retried as far as the options allow; every other status is final.
 */
export class ReviewsHttpError extends ReviewsError {
	override name = 'ReviewsHttpError';
	declare readonly status: number;
	/** The pause that the service requested with `Retry-After`, in milliseconds; `undefined` if it requested none. */
	declare readonly retryAfter: number | undefined;

	constructor(message: string, details: ReviewsErrorDetails & { retryAfter?: number | undefined }) {
		super(codeOfStatus(details.status ?? 0), message, details);
	}
}

function codeOfStatus(status: number): ReviewsErrorCode {
	if ([400, 401, 403].includes(status)) return 'PR_REQUEST_REFUSED';
	if (status === 408) return 'PR_SERVICE_TIMEOUT';
	if (status === 429) return 'PR_RATE_LIMITED';
	if (status >= 400 && status <= 499) return 'PR_REQUEST_REJECTED';
	return status >= 500 && status <= 599 ? 'PR_SERVICE_ERROR' : 'PR_UNREADABLE_RESPONSE';
}

/** No connection could be made, or it broke before the response was complete, even after retries. */
export class ReviewsNetworkError extends ReviewsError {
	override name = 'ReviewsNetworkError';

	constructor(message: string, details?: ReviewsErrorDetails) {
		super('PR_SERVICE_UNREACHABLE', message, details);
	}
}

/** The service requested a longer pause than `maxRetryAfter`, or it failed too often in a row. */
export type PauseReason = 'retry-after' | 'failures';

/**
 * The client leaves the service alone, and sends no request: for `'retry-after'` in every operation, for `'failures'` in
 * those of the same `priority`.
 */
export class ReviewsPausedError extends ReviewsError {
	override name = 'ReviewsPausedError';
	/** End of the pause, in milliseconds since 1970. */
	declare readonly until: number;
	declare readonly reason: PauseReason;

	constructor(message: string, details: ReviewsErrorDetails & { until: number; reason: PauseReason }) {
		super(details.reason === 'failures' ? 'PR_SERVICE_PAUSED' : 'PR_RATE_LIMITED', message, details);
	}
}

/**
 * - `redirect`: it redirects to another address
 * - `foreign`: a 404 that is not from the service itself, such as a gateway's page
 * - `content-encoding`: it is compressed more than once
 * - `too-large`: it is longer than `maxResponseBytes`
 * - `not-utf8`, `not-json`: it cannot be decoded
 * - `unsuccessful`: its body has `success: false`, or a `status` other than 200
 * - `schema`: a required field is missing or of the wrong type, or it has a million lists and objects
 * - `wrong-product`: it is about another product
 * - `missing-part`: `html` or `jsonld` was requested but is missing
 */
export type ResponseErrorReason =
	| 'redirect'
	| 'foreign'
	| 'content-encoding'
	| 'too-large'
	| 'not-utf8'
	| 'not-json'
	| 'unsuccessful'
	| 'schema'
	| 'wrong-product'
	| 'missing-part';

const CODES_OF_REASONS: Partial<Record<ResponseErrorReason, ReviewsErrorCode>> = {
	redirect: 'PR_FOREIGN_RESPONSE',
	foreign: 'PR_FOREIGN_RESPONSE',
	'wrong-product': 'PR_WRONG_PRODUCT',
};

/** The response is unusable. Such requests are never retried, because the same response is to be expected. */
export class ReviewsResponseError extends ReviewsError {
	override name = 'ReviewsResponseError';
	declare readonly reason: ResponseErrorReason;

	constructor(message: string, details: ReviewsErrorDetails & { reason: ResponseErrorReason }) {
		super(CODES_OF_REASONS[details.reason] ?? 'PR_UNREADABLE_RESPONSE', message, details);
	}
}

/** The limit of one request (`timeout`), or that of the operation with all its retries (`deadline`). */
export type TimeoutScope = 'try' | 'deadline';

/** There was no complete response in time. */
export class ReviewsTimeoutError extends ReviewsError {
	override name = 'ReviewsTimeoutError';
	declare readonly scope: TimeoutScope;
	/** In milliseconds. */
	declare readonly limit: number;

	constructor(message: string, details: ReviewsErrorDetails & { scope: TimeoutScope; limit: number }) {
		super('PR_SERVICE_TIMEOUT', message, details);
	}
}
