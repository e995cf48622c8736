import { z } from 'zod';
import { mediaItem, productReviewDataResponse, questionAnswer, review } from '../contract/index.js';
import type { Send } from '../http/create-sender.js';
import {
	noProductReviewData,
	type ProductReviewData,
	toProductReviewData,
} from '../records/product-review-data.js';
import { checkPid } from './check-pid.js';
import { readAnswer } from './read-answer.js';
import { readableItems, readItems } from './read-items.js';
import { withReadableReviews } from './readable-reviews.js';
import type { RequestOptions } from './request-options.js';

/** The response, with unchecked items in its long lists. */
const envelope = productReviewDataResponse.extend({
	data: z.array(z.unknown()),
	dataMedia: z.unknown().optional(),
	dataQueAns: z.unknown().optional(),
});

/**
 * Requests reviews, counts, media and questions of one product (operation 2). A 404 with a JSON object as its body means
 * that there are no reviews.
 */
export async function getProductReviewData(
	send: Send,
	pid: string,
	{ signal, priority, requeue }: RequestOptions,
): Promise<ProductReviewData> {
	checkPid(pid);
	const body = { productId: pid.toWellFormed() };
	const answer = await send(
		{ operation: 'productReviewData', pids: [pid], body, authorize: true, signal, priority, requeue },
		async (json) => {
			const given = readAnswer(envelope, json);
			const { reviews, unreadable } = withReadableReviews(given.data);
			const data = await readItems(review, reviews, 'data');
			const dataMedia = await readableItems(mediaItem, given.dataMedia);
			const dataQueAns = await readableItems(questionAnswer, given.dataQueAns);
			return { response: { ...given, data, dataMedia, dataQueAns }, unreadable };
		},
	);
	return answer ? toProductReviewData(pid, answer.response, answer.unreadable) : noProductReviewData(pid);
}
