/** A typed client for a hosted product-review service. The wire format is in `product-reviews-client/contract`. */

export { type ApiKeyTokenOptions, apiKeyToken } from './api-key-token.js';
export type { BaseUrls } from './base-url.js';
export { type CrawlerReviewsRequestOptions, createReviewsClient, type ReviewsClient } from './client.js';
export type { Operation } from './contract.js';
export * from './errors.js';
export type { RequestEvent, ReviewsClientOptions } from './options.js';
export {
	type CrawlerReviews,
	type Media,
	type ProductReviewData,
	type Question,
	type Review,
	type ReviewSummary,
	type StarRating,
	type Topic,
	toDate,
	type Validators,
} from './records.js';
export type { Priority, RequestOptions } from './throttle.js';
