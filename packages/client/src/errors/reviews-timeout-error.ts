import { ReviewsError, type ReviewsErrorDetails } from './reviews-error.js';

/** Which limit ran out: that of one request (`timeout`), or that of the operation with all its tries (`deadline`). */
export type TimeoutScope = 'try' | 'deadline';

/**
 * No complete answer came in time.
 *
 * @example if (error instanceof ReviewsTimeoutError) console.warn(`${error.scope}: over ${error.limit} ms`);
 */
export class ReviewsTimeoutError extends ReviewsError {
	override name = 'ReviewsTimeoutError';
	/** Which limit ran out. */
	readonly scope: TimeoutScope;
	/** The limit, in milliseconds. */
	readonly limit: number;

	constructor(message: string, details: ReviewsErrorDetails & { scope: TimeoutScope; limit: number }) {
		super(message, details);
		this.scope = details.scope;
		this.limit = details.limit;
	}
}
