import { codeOfStatus } from './error-code.js';
import { ReviewsError, type ReviewsErrorDetails } from './reviews-error.js';

/**
 * The service responded with a status other than 200 (404 is not an error, nor is 304 for a request with `known`). 408,
 * 425, 429 and 5xx were retried as far as the options allow; every other status is final.
 *
 * @example if (error instanceof ReviewsHttpError && error.status === 401) console.error('The token is refused.');
 */
export class ReviewsHttpError extends ReviewsError {
	override name = 'ReviewsHttpError';
	declare readonly status: number;

	constructor(message: string, details: ReviewsErrorDetails) {
		super(codeOfStatus(details.status ?? 0), message, details);
	}
}
