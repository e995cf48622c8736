import type { Advise } from '../failures/create-advice.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { ReviewService } from '../service/review-service.js';
import { RESOURCES, type ReviewStore } from '../store/review-store.js';
import { checkAhead } from './check-ahead.js';
import { createRevalidation, type Revalidation } from './create-revalidation.js';

/** Default maximum age of a value, in milliseconds: an hour. */
export const DEFAULT_MAX_AGE = 3_600_000;
/** The default if ratings are compared, in milliseconds: 7 days. Texts may change without moving a rating. */
const DEFAULT_MAX_AGE_OF_CHECKED = 604_800_000;

/** Decides which stored products this build requests again. */
export interface RevalidatedList extends Pick<Revalidation, 'isOutdated' | 'mark'> {
	/** The product list. Yields each product once it is known whether its rating moved. */
	readonly products: AsyncGenerator<string, void, undefined> | undefined;
	/** Resolves when this is known for all of them; `undefined` if this is not checked. */
	readonly checked: Promise<unknown> | undefined;
	/** Maximum age of a value, in milliseconds. */
	maxAge(): number;
}

/** What the revalidation of a build works with. */
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
	/** What to check if the service refuses to answer. @default no advice */
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
			// Other lists in flight fail for the same reason.
			if (!hasFailed) {
				const advice = advise?.(chunk.map((pid) => ({ pid, error })));
				const reason = [describeFailure(error), advice].filter(Boolean).join(' ');
				warn(
					`The service does not say which ratings moved: ${reason} Stored reviews are requested again according to their age.`,
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
