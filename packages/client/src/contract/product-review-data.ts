import { z } from 'zod';
import { countSummary } from './count-summary.js';
import { LONGEST_LIST, list, number } from './fields.js';
import { mediaItem } from './media-item.js';
import { questionAnswer } from './question-answer.js';
import { review } from './review.js';

/** The whole response of operation 2. Unknown fields are kept. */
export const productReviewDataResponse = z.looseObject({
	success: z.literal(true).nullish(),
	data: z.array(review),
	dataCount: countSummary.nullish().catch(undefined),
	dataMedia: list(mediaItem, LONGEST_LIST),
	dataQueAns: list(questionAnswer, LONGEST_LIST),
	dataCountQueAns: number,
});

export type ProductReviewDataResponse = z.output<typeof productReviewDataResponse>;
