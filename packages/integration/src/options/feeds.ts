import { z } from 'astro/zod';

/** Which files for programs a build writes beside the pages. */
export const feedsSchema = z.strictObject({
	/**
	 * Writes `product-ratings.json`: average and count of every product by its id, for feeds that you build elsewhere. Updates
	 * write it, too.
	 * @default false
	 */
	ratings: z.boolean().default(false),
});
