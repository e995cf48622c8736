import { z } from 'astro/zod';
import { duration } from './duration.js';

/** What the server of a site with an adapter remembers, and for how long. */
export const onDemandSchema = z.strictObject({
	/**
	 * How long reviews are shown before they are fetched again. Milliseconds, or a string with a unit.
	 * @default '60s'
	 */
	fresh: duration().prefault('60s'),
	/**
	 * Up to which age reviews are shown immediately while they are fetched again. Older ones, up to `maxStale`, are shown
	 * only if the service fails or takes too long. Milliseconds, or a string with a unit.
	 * @default '1d'
	 */
	stale: duration().prefault('1d'),
	/**
	 * How long a page waits for the service, 50 ms to 10 s. After that it shows the last good reviews or none, and the
	 * request continues for later pages. Milliseconds, or a string with a unit.
	 * @default '800ms'
	 */
	timeLimit: duration({ least: 50, most: 10_000 }).prefault('800ms'),
	/**
	 * Most products with reviews to remember; half as many without reviews are remembered besides. Those not shown for
	 * the longest time are forgotten first. When the service is down, pages of forgotten products have no reviews, so set
	 * this to the number of products that visitors look at.
	 * @default 500
	 */
	most: z.int().min(2).max(100_000).default(500),
});
