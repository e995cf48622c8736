import { ratingOf } from '../cache/known-rating.js';
import type { DroppedParts } from '../parse/dropped-parts.js';
import type { AggregateRating } from '../parse/record.js';
import type { From, ProductDataContext } from './product-data.js';

/** What a dev server knows about one kind of data of a product. */
export interface DevAnswer {
	/** When the service sent it, or said that it is current, in milliseconds since 1970; `undefined` if nothing is stored. */
	readonly fetchedAt: number | undefined;
	/** `undefined` for a product without ratings. */
	readonly rating: AggregateRating | undefined;
	/** Why the last request failed; `undefined` if it did not. */
	readonly failure: { readonly reason: string; readonly isStoredShown: boolean } | undefined;
	/** What the last whole answer lost; `undefined` if there was none since the server started. */
	readonly dropped: DroppedParts | undefined;
}

/** What a dev server knows about products. */
export interface DevAnswers {
	get(from: From, pid: string): DevAnswer;
	/** Makes the next page that shows these products request them again. */
	renew(pids: readonly string[]): void;
}

export function createDevAnswers({ store, reviews, reviewData, ratings }: ProductDataContext): DevAnswers {
	const resources = { reviews, 'review-data': reviewData, rating: ratings };
	return {
		get(from, pid) {
			const entry = store.table(from).entry(pid);
			const last = resources[from]?.lastAnswer(pid);
			return {
				fetchedAt: entry?.fetchedAt,
				rating: ratingOf(entry?.summary),
				failure: last?.failure && { reason: last.failure.reason, isStoredShown: last.failure.stale },
				dropped: last?.dropped,
			};
		},
		renew(pids) {
			for (const resource of Object.values(resources)) for (const pid of pids) resource?.renew(pid);
		},
	};
}

/** For a dev server that does not know the service. */
export const NO_ANSWERS: DevAnswers = {
	get: () => ({ fetchedAt: undefined, rating: undefined, failure: undefined, dropped: undefined }),
	renew: () => {},
};
