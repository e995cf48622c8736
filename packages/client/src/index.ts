/** A typed client for a hosted product-review service. The wire format is in `product-reviews-client/contract`. */

export type { Operation } from './contract/index.js';
export { createReviewsClient, type ReviewsClient } from './create-reviews-client.js';
export {
	type PauseReason,
	type ResponseErrorReason,
	ReviewsConfigurationError,
	ReviewsError,
	type ReviewsErrorCode,
	type ReviewsErrorDetails,
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
	type TimeoutScope,
} from './errors/index.js';
export type { CrawlerReviewsRequestOptions } from './operations/get-crawler-reviews.js';
export type { RequestOptions } from './operations/request-options.js';
export type { RequestEvent } from './options/request-event.js';
export type { ReviewsClientOptions } from './options/reviews-client-options.js';
export type { Priority } from './pacing/paced-request.js';
export type { CrawlerReviews } from './records/crawler-reviews.js';
export type { Media } from './records/media.js';
export type { ProductReviewData } from './records/product-review-data.js';
export type { Question } from './records/question.js';
export { toDate } from './records/read.js';
export type { Review } from './records/review.js';
export type { ReviewSummary, Topic } from './records/review-summary.js';
export type { StarRating } from './records/star-rating.js';
export type { Validators } from './records/validators.js';
