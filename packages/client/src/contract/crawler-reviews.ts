import { z } from 'zod';
import { number, productId, requiredNumber } from './fields.js';

/**
 * The whole answer of operation 3 (crawler-readable review html). `html` and `jsonld` hold what strangers wrote:
 * they are input for a parser, never markup to print. Each may be absent where the request did not ask for it.
 */
export const crawlerReviewsResponse = z.looseObject({
	status: z.literal(200).nullish(),
	pid: productId,
	dataCount: z.looseObject({ prtng: requiredNumber, avgrtng: number }),
	html: z.string().nullish(),
	jsonld: z.string().nullish(),
});

export type CrawlerReviewsResponse = z.output<typeof crawlerReviewsResponse>;
