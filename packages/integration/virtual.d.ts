declare module 'virtual:product-reviews' {
	import type {
		AggregateRating,
		PageCache,
		ProductId,
		ProductReviews,
		ReviewData,
	} from 'astro-product-reviews/runtime';

	/**
	 * The checked reviews of a product, for markup of your own. Text is what strangers wrote: let Astro escape it
	 * (`{review.body}`), never give it to `set:html`.
	 * @param pid a number is read as its decimal string, in all functions of this module.
	 * @param cache `Astro.cache` of a page that is rendered on demand: it gets the tag `reviews:<pid>`, and is kept for
	 * a short time only where the service fails.
	 * @returns `undefined` where the service failed and nothing is stored.
	 */
	export function getProductReviews(pid: ProductId, cache?: PageCache): Promise<ProductReviews | undefined>;

	/** Average and count over all ratings of a product; `undefined` for a product without ratings. */
	export function getStarRating(pid: ProductId, cache?: PageCache): Promise<AggregateRating | undefined>;

	/**
	 * Everything that the service holds about the reviews of a product: reviews, counts by stars, media, questions.
	 * Needs a token. Text is what strangers wrote: let Astro escape it (`{review.body}`), never give it to `set:html`.
	 * @returns `undefined` where the service failed and nothing is stored.
	 */
	export function getReviewData(pid: ProductId, cache?: PageCache): Promise<ReviewData | undefined>;

	/**
	 * A `cacheKey` for a page that shows the reviews of these products, for adapters that render pages in a way of their
	 * own. With Astro's own prerenderer the integration adds to the keys of pages what they need by itself.
	 * @param own what else the page is made of.
	 * @example return products.map((product) => ({ params: { id: product.id }, cacheKey: await reviewsCacheKey([product.id], product.digest) }))
	 */
	export function reviewsCacheKey(pids: readonly ProductId[], own?: string): Promise<string>;

	/**
	 * Has the server ask for the reviews of products again when a page that is rendered on demand shows them next, such
	 * as after a webhook. Does nothing in a build and in a dev server.
	 * @param pids those of all products, where they are left out.
	 */
	export function forgetReviews(pids?: readonly ProductId[]): void;
}

declare module 'virtual:product-reviews/webhook' {
	export const settings: import('astro-product-reviews/webhook-endpoint').WebhookSettings;
}

declare module 'virtual:product-reviews/internal' {
	import type { Runtime } from 'astro-product-reviews/runtime';

	export const fragmentHtml: Runtime['fragmentHtml'];
	export const ownListHtml: Runtime['ownListHtml'];
	export const reviewSectionParts: Runtime['reviewSectionParts'];
	export const reviewEntry: Runtime['reviewEntry'];
	export const forgetReviews: Runtime['forgetReviews'];
}
