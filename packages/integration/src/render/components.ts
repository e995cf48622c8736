import { productReviews } from './render-product-reviews.js';
import { reviewSchema } from './render-review-schema.js';
import { starRating } from './render-star-rating.js';
import { reviewList } from './review-data/render-full-review-list.js';
import { productQuestions } from './review-data/render-product-questions.js';
import { ratingSummary } from './review-data/render-rating-summary.js';
import { reviewMedia } from './review-data/render-review-media.js';
import { reviewSection } from './review-data/render-review-section.js';
import { reviewTopics } from './review-data/render-review-topics.js';

/** Every component that writes a fragment, by its name in Astro. Add new components here. */
export const COMPONENTS = {
	ProductReviews: productReviews,
	ReviewSchema: reviewSchema,
	StarRating: starRating,
	RatingSummary: ratingSummary,
	ReviewList: reviewList,
	ReviewMedia: reviewMedia,
	ReviewSection: reviewSection,
	ReviewTopics: reviewTopics,
	ProductQuestions: productQuestions,
};
