import type { ReviewsErrorCode } from './error-code.js';
import { ReviewsError } from './reviews-error.js';

/**
 * An option or an argument is invalid; the message names it and states how to fix it. Thrown before any request, with one
 * exception: the `token` function is called when a token is needed, and this error reports its failure.
 *
 * @example createReviewsClient({ baseUrl: 'reviews.example', wsid: 'W-1' }) // throws: write it with its scheme
 */
export class ReviewsConfigurationError extends ReviewsError {
	override name = 'ReviewsConfigurationError';

	constructor(message: string, code: ReviewsErrorCode = 'PR_INVALID_OPTIONS') {
		super(code, message);
	}
}
