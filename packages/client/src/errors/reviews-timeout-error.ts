import { ReviewsError, type ReviewsErrorDetails } from './reviews-error.js';

/** Which limit was exceeded: that of one request (`timeout`), or that of the operation with all its retries (`deadline`). */
export type TimeoutScope = 'try' | 'deadline';

/**
 * There was no complete response in time.
 *
 * @example if (error instanceof ReviewsTimeoutError) console.warn(`${error.scope}: over ${error.limit} ms`);
 */
export class ReviewsTimeoutError extends ReviewsError {
	override name = 'ReviewsTimeoutError';
	/** Which limit was exceeded. */
	readonly scope: TimeoutScope;
	/** The limit, in milliseconds. */
	readonly limit: number;

	constructor(message: string, details: ReviewsErrorDetails & { scope: TimeoutScope; limit: number }) {
		super('PR_SERVICE_TIMEOUT', message, details);
		this.scope = details.scope;
		this.limit = details.limit;
	}
}
