import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { ProductId } from '../text/product-id.js';
import type { ComponentFunctions } from './component-functions.js';
import type { PageCache } from './page-cache.js';

/** The functions of `virtual:product-reviews`, and those that the components call. */
export interface Runtime extends ComponentFunctions {
	/** @param cache `Astro.cache` of a page that is rendered on demand. */
	getProductReviews(pid: ProductId, cache?: PageCache): Promise<ProductReviews | undefined>;
	getStarRating(pid: ProductId, cache?: PageCache): Promise<AggregateRating | undefined>;
	getReviewData(pid: ProductId, cache?: PageCache): Promise<ReviewData | undefined>;
	/** A key for a page that shows these products, with what else the page is made of. */
	reviewsCacheKey(pids: readonly ProductId[], own?: string): Promise<string>;
	/** The reviews of a product, and since when a server that renders on demand has them. */
	reviewEntry(pid: ProductId): Promise<{
		readonly data: ProductReviews | undefined;
		/** Milliseconds since 1970. */
		readonly changedAt: number | undefined;
	}>;
	/** Has a server that renders on demand request products again; all of them if `pids` is left out. */
	forgetReviews(pids?: readonly ProductId[]): void;
}
