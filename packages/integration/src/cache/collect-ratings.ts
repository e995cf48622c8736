import type { Ratings, ReviewService } from '../service/review-service.js';
import { inBatches } from './in-batches.js';

type Rating = Ratings extends ReadonlyMap<string, infer Value> ? Value : never;

/** Products per request of operation 1. */
export const PRODUCTS_PER_REQUEST = 100;

/**
 * Requests the ratings of products in lists. Products requested in the same turn of the event loop, such as all
 * products of a listing page, share one request per hundred.
 * @default uses a timer, which edge runtimes have
 */
export function collectRatings(
	service: Pick<ReviewService, 'fetchRatings'>,
	nextTurn: () => Promise<unknown> = () => new Promise((resolve) => setTimeout(resolve)),
): (pid: string) => Promise<Rating | undefined> {
	const ratingsWith = inBatches((pids) => service.fetchRatings(pids), PRODUCTS_PER_REQUEST, nextTurn);
	return async (pid) => (await ratingsWith(pid)).get(pid);
}
