import { z } from 'zod';
import { number, productId, requiredNumber } from './fields.js';

/**
 * The whole response of operation 3 (crawler-readable review html). `html` and `jsonld` are untrusted: they are input for
 * a parser, never markup to print. Each may be absent if it was not requested.
 */
export const crawlerReviewsResponse = z.looseObject({
	status: z.literal(200).nullish(),
	pid: productId,
	dataCount: z.looseObject({ prtng: requiredNumber, avgrtng: number }),
	html: z.string().nullish(),
	jsonld: z.string().nullish(),
});

export type CrawlerReviewsResponse = z.output<typeof crawlerReviewsResponse>;
