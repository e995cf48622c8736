import { setImmediate } from 'node:timers/promises';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { ReviewFetcher } from '../providers/review-fetcher.js';
import type { Part, Resource } from '../records/parts.js';
import { NO_RATING, usableAggregate } from '../records/rating.js';
import { FetchPolicy, type PolicyContext } from '../reviews/fetch-policy.js';
import { DEFAULT_MAX_AGE, type Revalidation } from '../reviews/freshness.js';
import { collectRatings, ReviewRepository } from '../reviews/repository.js';
import type { ProductResults } from '../reviews/results.js';
import { BuildGuard } from '../reviews/vanish-guard.js';
import type { BuildSharing } from './open-shared.js';

export interface ResourcesContext extends PolicyContext {
	readonly options: Pick<ProductReviewsOptions, 'maxAge' | 'staleIfError' | 'onError'>;
	readonly service: ReviewFetcher;
	readonly outcomes: ProductResults;
	/** `true` if ratings can be requested in lists: the hosted service needs a token for it. */
	readonly hasRatings: boolean;
	/** `true` if all products are requested before pages need to know which of them lost their reviews. */
	readonly hasList: boolean;
	readonly revalidation: Pick<Revalidation, 'checked' | 'maxAge'>;
	readonly shared?: BuildSharing | undefined;
}

/** Everything that pages can ask for about products. */
export function createResources(context: ResourcesContext) {
	const { options, service, store, outcomes, hasRatings, hasList, command, revalidation, shared } = context;
	const nextTurn = () => setImmediate();
	const contextOf = <Of extends Part>(part: Of, maxAge: () => number, checked?: Promise<unknown>) => {
		const policy = new FetchPolicy(context, maxAge);
		const results = outcomes[part];
		const waits = part === 'reviews' && command === 'build' && hasList;
		return {
			part,
			policy,
			results,
			checked,
			nextTurn,
			guard: new BuildGuard({ seen: () => results.keys(), store, part, waits }),
			shared: shared?.sharingOf({ part, policy, checked, nextTurn, sharesEmpty: true }),
		};
	};
	const createRepository = <Of extends Resource>(part: Of) => {
		const parts = contextOf(part, () => revalidation.maxAge, revalidation.checked);
		const repository = new ReviewRepository<Of>({
			...parts,
			prioritize: (pid) => service.prioritize(part, pid),
			async fetch(pid, validators) {
				const { packed, also, ...answer } = await service.fetch(part, pid, validators);
				return { ...answer, content: packed, also: also && { ...also, content: also.packed } };
			},
		});
		return { repository, guard: parts.guard };
	};
	// Checks of the list do not cover products outside it, so their ratings expire sooner.
	const maxAgeOfRatings = () => Math.min(revalidation.maxAge, options.maxAge ?? DEFAULT_MAX_AGE);
	// Of products whose reviews are not needed. Those requested in the same turn share a request.
	const ratingOfProduct = collectRatings((pids) => service.fetchRatings(pids), nextTurn);
	const { repository: reviews, guard } = createRepository('reviews');
	return {
		reviews,
		reviewData: createRepository('review-data').repository,
		/** `undefined` if they cannot be requested in lists. */
		ratings: hasRatings
			? new ReviewRepository<'rating'>({
					...contextOf('rating', maxAgeOfRatings),
					async fetch(pid) {
						const record = (await ratingOfProduct(pid)) ?? NO_RATING;
						const isEmpty = usableAggregate(record.count, record.average) === undefined;
						return { content: { record }, isEmpty, dropped: {}, validators: undefined };
					},
				})
			: undefined,
		/** Call after the last product. Decides whether to believe that products have lost all their reviews. */
		async decideLosses(): Promise<void> {
			guard.decide();
			await setImmediate();
		},
	};
}
