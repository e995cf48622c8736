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
export type { CrawlerReviewsRequestOptions, RequestOptions } from './operations/operations.js';
export type { RequestEvent, ReviewsClientOptions } from './options/options.js';
export type { Priority } from './pacing/create-queue.js';
export type {
	CrawlerReviews,
	Media,
	ProductReviewData,
	Question,
	Review,
	ReviewSummary,
	StarRating,
	Topic,
	Validators,
} from './records/records.js';
export { toDate } from './records/records.js';
