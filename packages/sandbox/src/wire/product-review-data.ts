import type { ProductReviewDataResponse } from 'product-reviews-client/contract';
import type { RatingSummary } from '../database/rating-summary.js';
import type { Product, Question, Review } from '../records.js';
import type { Complete } from './complete.js';
import { wireCountSummary } from './count-summary.js';
import { wireMediaItem } from './media-item.js';
import { wireQuestionAnswer } from './question-answer.js';
import { wireReview } from './review.js';
import type { StoreFacts } from './store-facts.js';

/** Everything operation 2 needs to know about one product. */
export interface ProductReviews {
	readonly product: Product;
	/** Published reviews only. */
	readonly reviews: readonly Review[];
	readonly summary: RatingSummary;
	readonly questions: readonly Question[];
	/** Returns the name of a product. */
	readonly nameOf: (pid: string) => string;
}

/** Creates the whole response of operation 2. */
export function wireProductReviewData(
	{ product, reviews, summary, questions, nameOf }: ProductReviews,
	facts: StoreFacts,
): Complete<ProductReviewDataResponse> {
	const withMedia = reviews.filter(({ details }) => details.images.length + details.videos.length > 0);
	return {
		success: true,
		data: reviews.map((review) => wireReview(review, product, facts)),
		dataCount: wireCountSummary(product.pid, facts.wsid, summary, reviews),
		dataMedia: withMedia.map((review) => wireMediaItem(review, product, facts)),
		dataQueAns: questions.map((question) => wireQuestionAnswer(question, nameOf, facts)),
		dataCountQueAns: questions.length,
	};
}
