import type { ProductReviewDataResponse } from '../contract/index.js';
import { type Media, toMedia } from './media.js';
import { type Question, toQuestion } from './question.js';
import { orEmpty } from './read.js';
import { type Review, toReview } from './review.js';
import { type ReviewSummary, toReviewSummary } from './review-summary.js';

/** Everything the service holds about the reviews of one product (operation 2). All text is untrusted. */
export interface ProductReviewData {
	readonly pid: string;
	readonly reviews: readonly Review[];
	/** Number of reviews that were left out because they lack an id, a product or a rating. */
	readonly unreadableReviews: number;
	/** Counts over all reviews. */
	readonly summary: ReviewSummary;
	readonly media: readonly Media[];
	readonly questions: readonly Question[];
	/** Number of questions, which may be more than are in `questions`. */
	readonly questionCount: number;
}

/** Converts a response of operation 2 to the names used by the rest of the code. */
export function toProductReviewData(
	pid: string,
	response: ProductReviewDataResponse,
	unreadableReviews = 0,
): ProductReviewData {
	const questions = orEmpty(response.dataQueAns).map(toQuestion);
	return {
		pid,
		reviews: response.data.map(toReview),
		unreadableReviews,
		summary: toReviewSummary(response.dataCount ?? {}),
		media: orEmpty(response.dataMedia).map(toMedia),
		questions,
		questionCount: response.dataCountQueAns ?? questions.length,
	};
}

/** The result for a product that the service does not know: no reviews, no questions. */
export function noProductReviewData(pid: string): ProductReviewData {
	return {
		pid,
		reviews: [],
		unreadableReviews: 0,
		summary: toReviewSummary({}),
		media: [],
		questions: [],
		questionCount: 0,
	};
}
