import { setImmediate } from 'node:timers/promises';
import type { Fetched, ReviewService } from '../service/review-service.js';
import { collectRatings } from './collect-ratings.js';
import { NO_RATING, packRating, ratingOf } from './known-rating.js';

/** Fetches ratings of products whose reviews are not needed. Those requested in the same turn share a request. */
export function createRatingFetch(
	service: Pick<ReviewService, 'fetchRatings'>,
): (pid: string) => Promise<Fetched> {
	const ask = collectRatings(service, setImmediate);
	return async (pid) => {
		const packed = packRating((await ask(pid)) ?? NO_RATING);
		return {
			packed,
			isEmpty: ratingOf(packed.summary) === undefined,
			dropped: {},
			validators: undefined,
		};
	};
}
