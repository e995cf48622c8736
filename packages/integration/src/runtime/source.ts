import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { StoredData } from '../render/component.js';
import type { ProductFacts } from '../render/facts.js';
import type { Fragment, FragmentRequest } from '../render/fragment.js';
import { sharedMap } from './shared-map.js';

/**
 * Where pages get reviews from: the build or dev server that renders them, or the memory of a server that renders them
 * on demand. All data is `undefined` if the service failed and nothing is stored.
 */
export interface ReviewSource {
	/**
	 * What a component writes, at once if possible. Omitted if pages write it themselves, from the data.
	 * @param request one that can be sent as JSON, see `isPlainRequest`.
	 */
	getFragment?(pid: string, request: FragmentRequest): Fragment | Promise<Fragment>;
	getProductReviews(pid: string): Promise<ProductReviews | undefined>;
	getReviewData(pid: string): Promise<ReviewData | undefined>;
	/** Also `undefined` for a product without ratings. */
	getStarRating(pid: string): Promise<AggregateRating | undefined>;
	/** A digest that changes exactly when the reviews of one of these products do. */
	digestOf(pids: readonly string[]): Promise<string>;
	/** Called with facts about what the page being rendered wrote itself. */
	place(facts: ProductFacts): void | Promise<void>;
	/** Freshness of the last value. Omitted if pages are prerendered. */
	freshness?(of: keyof StoredData, pid: string): Freshness;
	/**
	 * Makes the source request products again, and tells other instances. Omitted if pages are prerendered.
	 * @param pids `undefined` for all.
	 * @returns whether all instances can learn of it.
	 */
	forget?(pids: readonly string[] | undefined): Promise<boolean>;
}

/** Freshness of the last value of a product. */
export interface Freshness {
	/** `'stale'`: the value may have changed since. `'missing'`: the service did not send one in time. */
	readonly state: 'fresh' | 'stale' | 'missing';
	/** When this server first had this value, in milliseconds since 1970. */
	readonly changedAt: number | undefined;
}

/** The sources of this process, by account. */
export const reviewSources = sharedMap<ReviewSource>('sources');
