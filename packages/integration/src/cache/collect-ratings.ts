import type { Ratings, ReviewService } from '../service/review-service.js';

/** What the service says of one product in a list. */
type Rating = Ratings extends ReadonlyMap<string, infer Value> ? Value : never;

/** Products that one request of operation 1 asks about. */
const MOST = 100;

/**
 * Asks for the ratings of products in lists: those that are asked for in one turn of the event loop, such as all products
 * of a listing page, share a request for every hundred.
 * @param nextTurn waits for the next turn. @default a timer does
 * @returns a function that gives the rating of a product; `undefined` where the service knows nothing of it.
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
		if (!open || open.pids.length >= MOST) open = begin();
		const { pids, ratings } = open;
		pids.push(pid);
		return (await ratings).get(pid);
	};
}
