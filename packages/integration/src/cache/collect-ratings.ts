import type { Ratings, ReviewService } from '../service/review-service.js';

/** The service's answer for one product of a list. */
type Rating = Ratings extends ReadonlyMap<string, infer Value> ? Value : never;

/** Products per request of operation 1. */
export const PRODUCTS_PER_REQUEST = 100;

/**
 * Requests the ratings of products in lists. Products requested in the same turn of the event loop, such as all products
 * of a listing page, share one request per hundred.
 * @param nextTurn waits for the next turn. @default uses a timer
 * @returns a function that returns the rating of a product; `undefined` if the service has none.
 */
export function collectRatings(
	service: Pick<ReviewService, 'fetchRatings'>,
	nextTurn: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve)),
): (pid: string) => Promise<Rating | undefined> {
	let open: { readonly pids: string[]; readonly ratings: Promise<Ratings> } | undefined;

	const begin = () => {
		const pids: string[] = [];
		const list = {
			pids,
			ratings: nextTurn().then(() => {
				if (open === list) open = undefined;
				return service.fetchRatings(pids);
			}),
		};
		return list;
	};
	return async (pid) => {
		if (!open || open.pids.length >= PRODUCTS_PER_REQUEST) open = begin();
		const { pids, ratings } = open;
		pids.push(pid);
		return (await ratings).get(pid);
	};
}
