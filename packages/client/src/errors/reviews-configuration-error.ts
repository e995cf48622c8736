import { ReviewsError } from './reviews-error.js';

/**
 * An option or an argument cannot be used; the message says which and how to mend it. Thrown before any request,
 * with one exception: the `token` function is called when a token is needed, and this error says that it failed.
 *
 * @example createReviewsClient({ baseUrl: 'reviews.example', wsid: 'W-1' }) // throws: write it with its scheme
 */
export class ReviewsConfigurationError extends ReviewsError {
	override name = 'ReviewsConfigurationError';
}
