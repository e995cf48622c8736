import { setImmediate } from 'node:timers/promises';
import { collectRatings } from '../cache/collect-ratings.js';
import { NO_RATING, packRating, ratingOf } from '../cache/known-rating.js';
import { createResourceRules, type ResourceRules, type RulesContext } from '../cache/resource-rules.js';
import { DEFAULT_MAX_AGE } from '../cache/start-revalidation.js';
import type { SharedPart, StoreSharing } from '../cache/store-sharing.js';
import { StoredResource } from '../cache/stored-resource.js';
import { createLosses, holdsReviews, type LossContext } from '../failures/create-losses.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { ProductOutcomes } from '../outcomes/outcomes.js';
import { type ProductReviews, type ReviewData, restoreRecord } from '../parse/record.js';
import type { Fetched, ReviewService } from '../service/review-service.js';
import type { SharedKind } from '../shared-storage/stored-answer.js';
import type { Resource, ReviewStore } from '../store/review-store.js';
import { isConfirmedBy } from '../store/values.js';
import type { BuildSharing } from './shared.js';

export interface ResourcesContext extends Omit<RulesContext, 'options'> {
	readonly options: Pick<ProductReviewsOptions, 'maxAge' | 'staleIfError' | 'onError'>;
	readonly service: ReviewService;
	readonly store: ReviewStore;
	readonly outcomes: ProductOutcomes;
	/** Whether there is a token. Ratings in lists and review data need one. */
	readonly hasToken: boolean;
	readonly hasList: boolean;
	/** Resolves when it is known which stored products are outdated; `undefined` if this is not checked. */
	readonly checked: Promise<unknown> | undefined;
	readonly shared?: (Pick<BuildSharing, 'sharingOf'> & Pick<SharedPart, 'mark'>) | undefined;
}

export interface Resources {
	readonly reviews: StoredResource<ProductReviews>;
	readonly reviewData: StoredResource<ReviewData>;
	readonly ratings: StoredResource<unknown> | undefined;
	/** Call after the last product. Decides whether to believe that products have lost all their reviews. */
	decideLosses(): Promise<void>;
}

export function createResources(context: ResourcesContext): Resources {
	const { options, service, store, outcomes, hasToken, hasList, checked, command, maxAge } = context;
	const rules = createResourceRules(context);
	const marks = store.table('mark');
	const lossesOf = (kind: Resource | 'rating', parts: Pick<LossContext, 'seen' | 'waits'>) => {
		const table = store.table(kind);
		return createLosses({
			...parts,
			entry: table.entry,
			holdsReviews,
			isConfirmed: (pid, stored) => isConfirmedBy(marks.entry(pid), stored),
			// The next build requests them again.
			onDoubt: (pid) => table.change(pid, { fetchedAt: 0 }),
		});
	};
	const losses = lossesOf('reviews', { seen: outcomes.reviews.keys, waits: command === 'build' && hasList });
	const resourceOf = <Value>(resource: Resource, restore: (stored: never) => Value) =>
		new StoredResource({
			rules,
			restore,
			checked,
			table: store.table(resource),
			sharing: sharingOf(resource, rules, context),
			prioritize: (pid) => service.prioritize(resource, pid),
			fetch: (pid, validators) => service.fetch(resource, pid, validators),
			outcomes: outcomes[resource],
			losses:
				resource === 'reviews' ? losses : lossesOf(resource, { seen: outcomes[resource].keys, waits: false }),
		});

	// Checks of the list do not cover products outside it, so their ratings expire sooner.
	const ratingRules = createResourceRules({
		...context,
		maxAge: () => Math.min(maxAge(), options.maxAge ?? DEFAULT_MAX_AGE),
	});
	return {
		reviews: resourceOf('reviews', restoreRecord),
		reviewData: resourceOf('review-data', (data: ReviewData) => data),
		ratings: hasToken
			? new StoredResource<unknown>({
					checked: undefined,
					rules: ratingRules,
					sharing: sharingOf('rating', ratingRules, context),
					restore: (stored) => stored,
					table: store.table('rating'),
					fetch: createRatingFetch(service),
					prioritize: () => {},
					outcomes: outcomes.rating,
					losses: lossesOf('rating', { seen: outcomes.rating.keys, waits: false }),
				})
			: undefined,
		async decideLosses() {
			losses.decide();
			await setImmediate();
		},
	};
}

function sharingOf(
	kind: SharedKind,
	rules: ResourceRules,
	{ shared, store, checked }: Pick<ResourcesContext, 'shared' | 'store' | 'checked'>,
): StoreSharing | undefined {
	return shared?.sharingOf({ kind, table: store.table(kind), rules, mark: shared.mark, checked });
}

/** Fetches ratings of products whose reviews are not needed. Those requested in the same turn share a request. */
function createRatingFetch(service: Pick<ReviewService, 'fetchRatings'>): (pid: string) => Promise<Fetched> {
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
