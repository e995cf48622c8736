export type { CrawlerReviews } from './records/crawler-reviews.js';
export type { Media } from './records/media.js';
export type { ProductReviewData } from './records/product-review-data.js';
export type { Question } from './records/question.js';
export type { Review } from './records/review.js';
export type { ReviewSummary, Topic } from './records/review-summary.js';
export type { StarRating } from './records/star-rating.js';
