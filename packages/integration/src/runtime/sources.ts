import type { Recipe } from '../ahead/recipe.js';
import type { Block } from '../ahead/write-blocks.js';
import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { DataFacet } from '../render/data-facet.js';
import type { Facet } from '../render/facet.js';
import type { Placement } from '../render/placement.js';
import type { Resource } from '../store/review-store.js';
import { sharedMap } from './shared-map.js';

/**
 * Where pages get reviews from: the session of the build or dev server that renders them, or the memory of a server that
 * renders them on demand.
 */
export interface ReviewSource {
	/**
	 * `undefined` where the service failed and nothing is stored.
	 * @param facet which part of them the page shows. @default all of them
	 */
	getProductReviews(pid: string, facet?: Facet): Promise<ProductReviews | undefined>;
	/** What a component writes of a product; `undefined` where the page has to make it of the reviews. */
	getBlock?(pid: string, recipe: Recipe): Promise<Block | undefined>;
	/** `undefined` for a product without ratings, and where the service failed and nothing is stored. */
	getStarRating?(pid: string): Promise<AggregateRating | undefined>;
	/**
	 * `undefined` where the service failed and nothing is stored.
	 * @param facet which part of it the page shows. @default all of it
	 */
	getReviewData(pid: string, facet?: DataFacet): Promise<ReviewData | undefined>;
	/** Changes exactly when the reviews of one of these products do. */
	digestOf(pids: readonly string[]): Promise<string>;
	/** Called with what is placed on the page that is being rendered. */
	place(placement: Placement): void | Promise<void>;
	/** How good what was given last of a product is; left out where pages are prerendered. */
	standing?(resource: Resource | 'stars', pid: string): Standing;
	/** Has products asked for again; left out where pages are prerendered. @param pids `undefined` for all */
	forget?(pids: readonly string[] | undefined): void;
}

/** How good what a source gave is. */
export interface Standing {
	/** `'stale'`: it may have changed since. `'missing'`: the service did not bring it in time. */
	readonly state: 'fresh' | 'stale' | 'missing';
	/** When this server first got what it has, in milliseconds since 1970. */
	readonly changedAt: number | undefined;
}

/** The sources of this process by account. */
export const reviewSources = sharedMap<ReviewSource>('sources');
