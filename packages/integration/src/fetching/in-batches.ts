import type { KnownRating } from '../parse/rating.js';
import type { ReviewFetcher } from '../providers/review-fetcher.js';

/**
 * Runs an operation for many products at once. Products given in the same turn of the event loop share a batch, and its
 * result.
 */
export function inBatches<Result>(
	run: (pids: readonly string[]) => Result | Promise<Result>,
	max: number,
	nextTurn: () => Promise<unknown>,
): (pid: string) => Promise<Result> {
	let open: { readonly pids: string[]; readonly done: Promise<Result> } | undefined;
	const begin = () => {
		const pids: string[] = [];
		const batch = {
			pids,
			done: nextTurn().then(() => {
				if (open === batch) open = undefined;
				return run(pids);
			}),
		};
		return batch;
	};
	return (pid) => {
		if (!open || open.pids.length >= max) open = begin();
		open.pids.push(pid);
		return open.done;
	};
}

/** Products per request of operation 1. */
export const PRODUCTS_PER_REQUEST = 100;

/**
 * Requests the ratings of products in lists. Products requested in the same turn of the event loop, such as all products
 * of a listing page, share one request per hundred.
 * @param nextTurn waits for the next turn. @default uses a timer, which edge runtimes have
 */
export function collectRatings(
	service: Pick<ReviewFetcher, 'fetchRatings'>,
	nextTurn: () => Promise<unknown> = () => new Promise((resolve) => setTimeout(resolve)),
): (pid: string) => Promise<KnownRating | undefined> {
	const ratingsWith = inBatches((pids) => service.fetchRatings(pids), PRODUCTS_PER_REQUEST, nextTurn);
	return async (pid) => (await ratingsWith(pid)).get(pid);
}
