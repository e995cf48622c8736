/**
 * What runs inside the site's pages. It uses no Node API, and contains neither secrets nor paths, because it is bundled
 * with the code that renders the pages, and its settings are part of their module graph.
 */

export type {
	AggregateRating,
	DisplayedReview,
	FullReview,
	ProductQuestion,
	ProductReviews,
	ReviewData,
	ReviewMediaItem,
	ReviewTopic,
	StatedReview,
	TopicSummary,
} from '../parse/record.js';
export type { ProductReviewsProps } from '../render/render-product-reviews.js';
export type { ReviewSchemaProps } from '../render/render-review-schema.js';
export type { StarRatingProps } from '../render/render-star-rating.js';
export type { ReviewListProps } from '../render/review-data/render-full-review-list.js';
export type { ProductQuestionsProps } from '../render/review-data/render-product-questions.js';
export type { RatingSummaryProps } from '../render/review-data/render-rating-summary.js';
export type { ReviewMediaProps } from '../render/review-data/render-review-media.js';
export type { ReviewSectionProps } from '../render/review-data/render-review-section.js';
export type { ReviewTopicsProps } from '../render/review-data/render-review-topics.js';
export type { FullReviewOrder, ReviewFilter, ReviewTest } from '../render/review-data/review-filter.js';
export type { ReviewOrder } from '../render/select-reviews.js';
export type { ProductId } from '../text/product-id.js';
export { createRuntime, type Runtime } from './create-runtime.js';
export type { PageCache, PageContext, RuntimePlace, RuntimeSettings } from './page-source.js';
export { reviewTag } from './runtime.js';
