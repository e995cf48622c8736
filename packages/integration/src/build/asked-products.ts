import { setImmediate } from 'node:timers/promises';
import { RESOURCES, type Resource, type ReviewStore } from '../store/review-store.js';
import type { ProductOrder } from './open-product-list.js';
import type { From } from './product-data.js';

/** Remembers which products pages ask for. */
export interface AskedProducts {
	note(resource: Resource, pid: string): void;
	/** The source of a product's rating: whatever is fetched anyway, or else ratings in lists. */
	ratingFrom(pid: string): Promise<From>;
	/** Products that were not in the product list when pages asked for them. */
	readonly unlisted: ReadonlySet<string>;
}

export interface AskedProductsContext {
	readonly store: ReviewStore;
	/** The product list, as far as it has been read: reviews of its products are requested in any case. */
	readonly listed?: ProductOrder | undefined;
	/** Whether there are ratings in lists, which need a token. */
	readonly hasRatings: boolean;
	/** Called with each product whose review data a page asks for. */
	readonly onReviewData?: ((pid: string) => void) | undefined;
}

export function createAskedProducts(context: AskedProductsContext): AskedProducts {
	const { store, listed, hasRatings, onReviewData } = context;
	const unlisted: Record<Resource, Set<string>> = { reviews: new Set(), 'review-data': new Set() };

	const note = (resource: Resource, pid: string) => {
		if (!listed?.has(pid)) unlisted[resource].add(pid);
		if (resource === 'review-data') onReviewData?.(pid);
	};
	/** What is stored, listed, or on a page. */
	const knownFrom = (pid: string): From | undefined => {
		if (listed?.has(pid)) return 'reviews';
		return RESOURCES.find((kind) => unlisted[kind].has(pid) || store.table(kind).entry(pid) !== undefined);
	};
	return {
		note,
		async ratingFrom(pid) {
			// Something else on the page may fetch data that contains the rating.
			if (hasRatings && !knownFrom(pid)) await setImmediate();
			const from = knownFrom(pid) ?? (hasRatings ? 'rating' : 'reviews');
			if (from === 'reviews') note(from, pid);
			return from;
		},
		get unlisted() {
			const { reviews, 'review-data': data } = unlisted;
			return data.size === 0 ? reviews : new Set([...reviews, ...data]);
		},
	};
}
