import { collectRatings } from '../cache/collect-ratings.js';
import { usableRating } from '../parse/rating.js';
import type { AggregateRating } from '../parse/record.js';
import type { LiveService } from './create-live-service.js';

/** What is remembered of a product's stars. */
export interface LiveStars {
	readonly aggregate: AggregateRating | undefined;
}

/** A list that failed, with products of which the service is known to have something, and others. */
class MixedListError extends Error {}

/**
 * Asks for the stars of products in lists. Products of pages that are rendered at the same time share a list, and one id
 * that somebody made up may be why the service refuses all of it: then the products that are known are asked for without
 * the others.
 *
 * @param nextTurn waits until all components of a page that can ask have asked.
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
