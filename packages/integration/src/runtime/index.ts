/**
 * What runs inside the site's pages. It uses no Node API and holds neither a secret nor a path: it goes into the bundle
 * that renders the pages, and its settings into their module graph.
 */
export type { AggregateRating, DisplayedReview, ProductReviews, StatedReview } from '../payload/record.js';
export type { ProductReviewsProps } from '../render/render-product-reviews.js';
export type { StarRatingProps } from '../render/render-star-rating.js';
export type { ReviewSchemaProps } from '../render/review-schema-props.js';
export type { ReviewOrder } from '../render/select-reviews.js';
export { createRuntime, type Runtime, type RuntimeSettings } from './create-runtime.js';
