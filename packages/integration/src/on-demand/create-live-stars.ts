import { collectRatings } from '../cache/collect-ratings.js';
import { usableRating } from '../parse/rating.js';
import type { AggregateRating } from '../parse/record.js';
import type { LiveService } from './create-live-service.js';

/** The remembered stars of a product. */
export interface LiveStars {
	readonly aggregate: AggregateRating | undefined;
}

/** The failure of a list that contains both known products, of which the service has something, and unknown ones. */
class MixedListError extends Error {}

/**
 * Fetches the stars of products in lists. Products of pages that are rendered at the same time share a list. A single
 * made-up id can make the service refuse the whole list; then known products are requested again without the others.
 *
 * @param nextTurn waits until all components of a page have made their requests.
 */
export function createLiveStars(
	{ ask }: LiveService,
	isKnown: (pid: string) => boolean,
	nextTurn: () => Promise<void>,
): (pid: string) => Promise<LiveStars> {
	const ofAll = collectRatings(
		{
			async fetchRatings(pids) {
				const known = pids.filter(isKnown).length;
				const priority = known === pids.length ? 'normal' : 'low';
				try {
					return await ask((client) => client.getStarRatings(pids, { priority }));
				} catch (cause) {
					throw known > 0 && known < pids.length ? new MixedListError('', { cause }) : cause;
				}
			},
		},
		nextTurn,
	);
	const ofKnown = collectRatings(
		{ fetchRatings: (pids) => ask((client) => client.getStarRatings(pids)) },
		nextTurn,
	);
	return async (pid) => {
		const rating = await ofAll(pid).catch((error) => {
			if (!(error instanceof MixedListError)) throw error;
			if (isKnown(pid)) return ofKnown(pid);
			throw error.cause;
		});
		const { average = Number.NaN, count = 0 } = rating ?? {};
		const usable = Number.isSafeInteger(count) && count > 0 ? usableRating(average) : undefined;
		return { aggregate: usable === undefined ? undefined : { count, average: usable } };
	};
}
