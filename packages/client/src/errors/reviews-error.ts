import type { Operation } from '../contract/index.js';

/** What every error of this package tells about the request that it ended. */
export interface ReviewsErrorDetails {
	operation?: Operation | undefined;
	pids?: readonly string[] | undefined;
	status?: number | undefined;
	attempts?: number | undefined;
	url?: string | undefined;
	cause?: unknown;
}

/**
 * Ancestor of every error of this package, so that one `instanceof` tells them from the rest.
 *
 * No error holds a secret: `url` has no query string, and `cause` is a copy of the underlying error without the
 * token and without properties that a runtime or a `fetch` of yours may have put on it.
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
	/** The operation that failed; `undefined` where none was begun. */
	readonly operation: Operation | undefined;
	/** Ids of the products that were asked for, as the caller gave them. */
	readonly pids: readonly string[];
	/** Status of the last answer; `undefined` where none came. */
	readonly status: number | undefined;
	/** How many requests were sent; 0 where none was. */
	readonly attempts: number;
	/** Address of the request, without its query string. */
	readonly url: string | undefined;

	constructor(message: string, details: ReviewsErrorDetails = {}) {
		super(message, details.cause === undefined ? undefined : { cause: details.cause });
		this.operation = details.operation;
		this.pids = details.pids ?? [];
		this.status = details.status;
		this.attempts = details.attempts ?? 0;
		this.url = details.url;
	}

	/** Id of the product that was asked for; `undefined` where it was none or several. */
	get pid(): string | undefined {
		return this.pids.length === 1 ? this.pids[0] : undefined;
	}
}
