/**
 * The service's wire format: one schema per documented resource, with the service's own field names. Everything outside
 * this folder uses the names in `../records`.
 */

export { createShapeCounter, type ShapeLimits, shapeLimits } from '../http/create-shape-counter.js';
export { type CountSummary, countSummary, topic, topicSummary } from './count-summary.js';
export { type CrawlerReviewsResponse, crawlerReviewsResponse } from './crawler-reviews.js';
export { type MediaItem, mediaItem } from './media-item.js';
export { OPERATIONS, type Operation, SCHEMA_SCRIPT_ID } from './operations.js';
export { type ProductReviewDataResponse, productReviewDataResponse } from './product-review-data.js';
export { type QuestionAnswer, questionAnswer } from './question-answer.js';
export { type ReviewItem, review, reviewTopic } from './review.js';
export { type StarRatingItem, starRatingItem, starRatingResponse } from './star-rating-item.js';
