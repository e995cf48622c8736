import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { ProductId } from '../text/product-id.js';
import type { ComponentFunctions } from './component-functions.js';
import type { PageCache } from './page-cache.js';

/** The functions of `virtual:product-reviews`, and those that components call. */
export interface Runtime extends ComponentFunctions {
	/** @param cache `Astro.cache` of a page that is rendered on demand. */
	getProductReviews(pid: ProductId, cache?: PageCache): Promise<ProductReviews | undefined>;
	getStarRating(pid: ProductId, cache?: PageCache): Promise<AggregateRating | undefined>;
	getReviewData(pid: ProductId, cache?: PageCache): Promise<ReviewData | undefined>;
	/** A key for a page that shows these products. @param own a key for everything else on the page. */
	reviewsCacheKey(pids: readonly ProductId[], own?: string): Promise<string>;
	/** The reviews of a product, and when a server that renders on demand got them. */
	reviewEntry(pid: ProductId): Promise<{
		readonly data: ProductReviews | undefined;
		/** Milliseconds since 1970. */
		readonly changedAt: number | undefined;
	}>;
	/** Makes a server that renders on demand request products again. @default all products */
	forgetReviews(pids?: readonly ProductId[]): Promise<boolean>;
}
