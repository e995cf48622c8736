/**
 * The code that runs inside the site's pages. It uses no Node API, and contains neither secrets nor paths, because it is
 * bundled with the code that renders the pages, and its settings are part of their module graph.
 */

export type { ProductId } from '../base/product-id.js';
export type { AggregateRating } from '../records/rating.js';
export type {
	ProductQuestion,
	ProductReviews,
	Review,
	ReviewData,
	ReviewMediaItem,
	ReviewTopic,
	StatedReview,
	TopicSummary,
} from '../records/record.js';
export type { RatingFields, RatingFormat } from '../render/rating-columns.js';
export type { LatestReviewsProps } from '../render/render-latest-reviews.js';
export type { ProductReviewsProps } from '../render/render-product-reviews.js';
export type { ProductQuestionsProps } from '../render/render-questions.js';
export type { ReviewMediaProps } from '../render/render-review.js';
export type { ReviewListProps } from '../render/render-review-list.js';
export type { ReviewSchemaProps } from '../render/render-review-schema.js';
export type { ReviewSectionProps } from '../render/render-section.js';
export type { RatingSummaryProps, ReviewTopicsProps, StarRatingProps } from '../render/render-summary.js';
export type { FullReviewOrder, ReviewFilter, ReviewOrder, ReviewTest } from '../render/select-reviews.js';
export { createRuntime, type PagedList, type ReviewPage, type Runtime } from './create-runtime.js';
export {
	type PageCache,
	type PageContext,
	type RuntimePlace,
	type RuntimeSettings,
	reviewTag,
} from './page-source.js';
