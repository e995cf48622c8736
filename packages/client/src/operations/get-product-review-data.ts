import { productReviewDataResponse } from '../contract/index.js';
import type { Send } from '../http/create-sender.js';
import {
	noProductReviewData,
	type ProductReviewData,
	toProductReviewData,
} from '../records/product-review-data.js';
import { checkPid } from './check-pid.js';
import { readAnswer } from './read-answer.js';
import { withReadableReviews } from './readable-reviews.js';

/** Options of an operation. */
export interface RequestOptions {
	/** Ends the operation. It then throws the signal's reason. */
	signal?: AbortSignal | undefined;
}

/** Asks for reviews, counts, media and questions of one product (operation 2). A 404 means: no reviews. */
export async function getProductReviewData(
	send: Send,
	pid: string,
	{ signal }: RequestOptions,
): Promise<ProductReviewData> {
	checkPid(pid);
	const body = { productId: pid.toWellFormed() };
	const answer = await send(
		{ operation: 'productReviewData', pids: [pid], body, authorize: true, signal },
		(sent) => {
			const { json, unreadable } = withReadableReviews(sent);
			return { response: readAnswer(productReviewDataResponse, json), unreadable };
		},
	);
	return answer ? toProductReviewData(pid, answer.response, answer.unreadable) : noProductReviewData(pid);
}
