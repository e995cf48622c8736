import type { Advise } from '../failures/create-advice.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { ReviewService } from '../service/review-service.js';
import { RESOURCES, type ReviewStore } from '../store/review-store.js';
import { checkAhead } from './check-ahead.js';
import { createRevalidation, type Revalidation } from './create-revalidation.js';

/** How old a value may be where the option does not say, in milliseconds: an hour. */
export const DEFAULT_MAX_AGE = 3_600_000;
/** The same where the service says which ratings moved, in milliseconds: 7 days. Texts may change without them. */
const DEFAULT_MAX_AGE_OF_CHECKED = 604_800_000;

/** Decides which stored products are asked for again in this build. */
export interface RevalidatedList extends Pick<Revalidation, 'isOutdated' | 'mark'> {
	/** The product list, each product once it is known whether it moved. */
	readonly products: AsyncGenerator<string, void, undefined> | undefined;
	/** Resolves when that is known of all of them; `undefined` where nothing is checked. */
	readonly checked: Promise<unknown> | undefined;
	/** How old a value may be, in milliseconds. */
	maxAge(): number;
}

/** What a build that revalidates works with. */
export interface RevalidationContext {
	readonly mode: NonNullable<ProductReviewsOptions['revalidate']>;
	/** The option, in milliseconds. */
	readonly maxAge: number | undefined;
	readonly products: AsyncGenerator<string, void, undefined> | undefined;
	readonly service: Pick<ReviewService, 'fetchRatings'>;
	readonly store: ReviewStore;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	readonly warn: (message: string) => void;
	/** What to check where the service refuses to answer. @default nothing is said */
	readonly advise?: Advise | undefined;
}

export function startRevalidation(context: RevalidationContext): RevalidatedList {
	const { mode, maxAge, products, service, store, now, warn, advise } = context;
	const { isOutdated, mark, compare } = createRevalidation(store, now);
	const common = { isOutdated, mark };
	if (mode === 'always') return { ...common, products, checked: undefined, maxAge: () => 0 };
	if (mode === 'age' || !products) {
		return { ...common, products, checked: undefined, maxAge: () => maxAge ?? DEFAULT_MAX_AGE };
	}
	const tables = RESOURCES.map((resource) => store.table(resource));
	let hasFailed = false;
	const check = async (chunk: readonly string[]) => {
		const entries = tables.map((table) => table.entries(chunk));
		const stored = chunk.filter((pid) => entries.some((found) => found.has(pid)));
		if (stored.length === 0 || hasFailed) return;
		try {
			compare(stored, await service.fetchRatings(stored));
		} catch (error) {
			// Lists that are in flight fail for the same reason.
			if (!hasFailed) {
				const advice = advise?.(chunk.map((pid) => ({ pid, error })));
				const reason = [describeFailure(error), advice].filter(Boolean).join(' ');
				warn(
					`The service does not say which ratings moved: ${reason} Stored reviews are asked for again by their age.`,
				);
			}
			hasFailed = true;
		}
	};
	return {
		...common,
		...checkAhead(products, check),
		maxAge: () => maxAge ?? (hasFailed ? DEFAULT_MAX_AGE : DEFAULT_MAX_AGE_OF_CHECKED),
	};
}
