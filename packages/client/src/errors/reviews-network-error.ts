import { ReviewsError, type ReviewsErrorDetails } from './reviews-error.js';

/**
 * No connection could be made, or it broke before the response was complete, even after retries.
 *
 * @example if (error instanceof ReviewsNetworkError) console.warn(error.message, error.cause);
 */
export class ReviewsNetworkError extends ReviewsError {
	override name = 'ReviewsNetworkError';

	constructor(message: string, details?: ReviewsErrorDetails) {
		super('PR_SERVICE_UNREACHABLE', message, details);
	}
}
