import { setImmediate } from 'node:timers/promises';
import { packRating } from '../cache/values.js';
import { Losses } from '../failures/losses.js';
import { CachedResource, ResourceRules, type RulesContext } from '../fetching/cached-resource.js';
import { collectRatings } from '../fetching/in-batches.js';
import { DEFAULT_MAX_AGE, type Revalidation } from '../fetching/revalidation.js';
import type { ProductOutcomes } from '../outcomes/outcomes.js';
import { restoreRecord } from '../parse/condensed-record.js';
import { NO_RATING, ratingOf } from '../parse/rating.js';
import type { ReviewData } from '../parse/record.js';
import type { ReviewFetcher } from '../providers/review-fetcher.js';
import type { Part, Resource } from '../reviews/parts.js';
import type { BuildSharing } from './shared.js';

export interface ResourcesContext extends RulesContext {
	readonly service: ReviewFetcher;
	readonly outcomes: ProductOutcomes;
	/** Whether ratings can be requested in lists: the hosted service needs a token for it. */
	readonly hasRatings: boolean;
	/** Whether all products are requested before pages need to know which of them lost their reviews. */
	readonly hasList: boolean;
	readonly revalidation: Pick<Revalidation, 'checked' | 'maxAge'>;
	readonly shared?: BuildSharing | undefined;
}

export type Resources = ReturnType<typeof createResources>;

/** Everything that pages can ask for about products. */
export function createResources(context: ResourcesContext) {
	const { options, service, store, outcomes, hasRatings, hasList, command, revalidation, shared } = context;
	const contextOf = (part: Part, maxAge: () => number, checked?: Promise<unknown>) => {
		const rules = new ResourceRules(context, maxAge);
		const waits = part === 'reviews' && command === 'build' && hasList;
		const losses = new Losses({ seen: () => outcomes[part].keys(), store, part, waits });
		const sharing = shared?.sharingOf({
			kind: part,
			store,
			checked,
			isFresh: (pid, stored) => rules.isFresh(pid, stored),
		});
		return { rules, part, sharing, checked, outcomes: outcomes[part], losses };
	};
	const resourceOf = <Value>(resource: Resource, restore: (stored: never) => Value) =>
		new CachedResource({
			...contextOf(resource, () => revalidation.maxAge, revalidation.checked),
			restore,
			prioritize: (pid) => service.prioritize(resource, pid),
			fetch: (pid, validators) => service.fetch(resource, pid, validators),
		});
	// Checks of the list do not cover products outside it, so their ratings expire sooner.
	const maxAgeOfRatings = () => Math.min(revalidation.maxAge, options.maxAge ?? DEFAULT_MAX_AGE);
	// Of products whose reviews are not needed. Those requested in the same turn share a request.
	const ratingOfProduct = collectRatings(service, setImmediate);
	const reviews = resourceOf('reviews', restoreRecord);
	return {
		reviews,
		reviewData: resourceOf('review-data', (data: ReviewData) => data),
		/** `undefined` if they cannot be requested in lists. */
		ratings: hasRatings
			? new CachedResource<unknown>({
					...contextOf('rating', maxAgeOfRatings),
					restore: (stored) => stored,
					async fetch(pid) {
						const packed = packRating((await ratingOfProduct(pid)) ?? NO_RATING);
						const isEmpty = ratingOf(packed.summary) === undefined;
						return { packed, isEmpty, dropped: {}, validators: undefined };
					},
					prioritize: () => {},
				})
			: undefined,
		/** Call after the last product. Decides whether to believe that products have lost all their reviews. */
		async decideLosses(): Promise<void> {
			reviews.decideLosses();
			await setImmediate();
		},
	};
}
