import { ReviewsError, type ReviewsErrorDetails } from './reviews-error.js';

/**
 * The service asked for a longer pause than `maxRetryAfter`. Until then every operation of the client throws this
 * at once, without a request.
 *
 * @example if (error instanceof ReviewsPausedError) console.warn('Ask again after', new Date(error.until));
 */
export class ReviewsPausedError extends ReviewsError {
	override name = 'ReviewsPausedError';
	/** When the pause ends, in milliseconds since 1970. */
	readonly until: number;

	constructor(message: string, details: ReviewsErrorDetails & { until: number }) {
		super(message, details);
		this.until = details.until;
	}
}
