import { z } from 'zod';
import { flag, number, productId, requiredNumber, text } from './fields.js';

/** One element of `data` in the response of operation 1 (star rating). Unknown fields are kept. */
export const starRatingItem = z.looseObject({
	pid: productId,
	/** Average rating. */
	avgrtng: requiredNumber,
	/** Number of ratings. */
	prtng: requiredNumber,
	/** Markup of the service's own stars; may be empty. */
	html: text,
	isReqSyncWoo: flag,
	/** Number of questions. */
	queCount: number,
});

export type StarRatingItem = z.output<typeof starRatingItem>;

/** The whole response of operation 1. */
export const starRatingResponse = z.looseObject({
	success: z.literal(true).nullish(),
	data: z.array(starRatingItem),
});
