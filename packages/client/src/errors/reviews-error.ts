import type { Operation } from '../contract/index.js';
import type { ReviewsErrorCode } from './error-code.js';

/** Details of the failed request that every error of this package has. */
export interface ReviewsErrorDetails {
	operation?: Operation | undefined;
	pids?: readonly string[] | undefined;
	status?: number | undefined;
	attempts?: number | undefined;
	url?: string | undefined;
	cause?: unknown;
}

/**
 * Base class of every error of this package, so that a single `instanceof` recognizes them.
 *
 * No error contains a secret: `url` has no query string, and `cause` is a copy of the underlying error without the token
 * and without properties added by a runtime or a custom `fetch`.
 *
 * @example
 * try {
 * 	await client.getCrawlerReviews('p-1');
 * } catch (error) {
 * 	if (error instanceof ReviewsError) console.warn(error.message, error.status, error.attempts);
 * 	else throw error;
 * }
 */
export class ReviewsError extends Error {
	override name = 'ReviewsError';
	/** Names the kind of problem. */
	readonly code: ReviewsErrorCode;
	/** The operation that failed; `undefined` if none was started. */
	readonly operation: Operation | undefined;
	/** Ids of the requested products, as passed by the caller. */
	readonly pids: readonly string[];
	/** Status of the last response; `undefined` if there was none. */
	readonly status: number | undefined;
	/** Number of requests that were sent. */
	readonly attempts: number;
	/** URL of the request, without its query string. */
	readonly url: string | undefined;

	constructor(code: ReviewsErrorCode, message: string, details: ReviewsErrorDetails = {}) {
		super(message, details.cause === undefined ? undefined : { cause: details.cause });
		this.code = code;
		this.operation = details.operation;
		this.pids = details.pids ?? [];
		this.status = details.status;
		this.attempts = details.attempts ?? 0;
		this.url = details.url;
	}

	/** Id of the requested product; `undefined` if there was none or more than one. */
	get pid(): string | undefined {
		return this.pids.length === 1 ? this.pids[0] : undefined;
	}
}
