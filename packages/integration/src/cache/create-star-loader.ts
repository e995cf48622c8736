import { setImmediate } from 'node:timers/promises';
import { usableRating } from '../parse/rating.js';
import type { AggregateRating } from '../parse/record.js';
import type { ReviewService } from '../service/review-service.js';
import { pack } from '../store/pack.js';
import type { ReviewStore } from '../store/review-store.js';
import { collectRatings } from './collect-ratings.js';
import { createLoader, type Loader, type LoaderContext } from './create-loader.js';

/** What stars are brought with; the rest is as for other values. */
export interface StarContext
	extends Pick<
		LoaderContext<unknown, unknown>,
		| 'isOutdated'
		| 'policy'
		| 'tally'
		| 'now'
		| 'monotonicNow'
		| 'startedAt'
		| 'failureMemory'
		| 'onFailure'
		| 'advise'
		| 'losses'
	> {
	readonly service: Pick<ReviewService, 'fetchRatings'>;
	readonly store: ReviewStore;
}

/** What the store keeps: JSON has no `undefined`. */
interface Stars {
	readonly aggregate?: AggregateRating | undefined;
}

/**
 * Brings average and count of products whose reviews nobody needs from the store or, in lists, from operation 1. Without
 * stars a page is whole all the same: a product for which the service failed has none.
 */
export function createStarLoader({ service, store, ...context }: StarContext): Loader<Stars> {
	const ask = collectRatings(service, setImmediate);
	return createLoader<Stars, Stars>({
		...context,
		table: store.table('stars'),
		restore: (stars) => stars,
		fetch: async (pid) => {
			const { average = Number.NaN, count = 0 } = (await ask(pid)) ?? {};
			const usable = Number.isSafeInteger(count) && count > 0 ? usableRating(average) : undefined;
			const stars: Stars = { aggregate: usable === undefined ? undefined : { count, average: usable } };
			return {
				packed: pack(stars, stars.aggregate),
				isEmpty: !stars.aggregate,
				dropped: {},
				validators: undefined,
			};
		},
		hurry: () => {},
		checked: undefined,
		settled: () => {},
		isSettled: () => false,
	});
}
