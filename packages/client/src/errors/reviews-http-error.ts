import { ReviewsError } from './reviews-error.js';

/**
 * The service answered with a status other than 200 (404 and, to a request with `known`, 304 are no errors). 408, 425, 429 and 5xx were tried again as far as the options
 * allow; every other status is final at once.
 *
 * @example if (error instanceof ReviewsHttpError && error.status === 401) console.error('The token is refused.');
 */
export class ReviewsHttpError extends ReviewsError {
	override name = 'ReviewsHttpError';
	declare readonly status: number;
}
