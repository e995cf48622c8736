declare module 'virtual:product-reviews' {
	import type {
		AggregateRating,
		PageContext,
		PagedList,
		ProductId,
		ProductReviews,
		RatingFields,
		RatingFormat,
		ReviewData,
		ReviewPage,
	} from 'astro-product-reviews/runtime';

	/**
	 * Returns the checked reviews of a product, for your own markup. Texts come from third parties: let Astro escape them
	 * (`{review.body}`), and never pass them to `set:html`.
	 * @param pid a number is converted to its decimal string, in all functions of this module.
	 * @param page `Astro`, so that updates and incremental builds know the page that shows the reviews. One that is rendered on
	 * demand gets the tag `reviews:<pid>`, and is only cached for a short time if the service fails.
	 * @returns `undefined` if the service failed and nothing is cached.
	 */
	export function getProductReviews(pid: ProductId, page?: PageContext): Promise<ProductReviews | undefined>;

	/** Returns average and count over all ratings of a product; `undefined` for a product without ratings. */
	export function getStarRating(pid: ProductId, page?: PageContext): Promise<AggregateRating | undefined>;

	/**
	 * Returns everything that the service has about the reviews of a product: reviews, counts by stars, media, questions.
	 * The hosted service needs a token for it. Texts come from third parties: let Astro escape them (`{review.body}`), and never pass them to
	 * `set:html`.
	 * @returns `undefined` if the service failed and nothing is cached.
	 */
	export function getReviewData(pid: ProductId, page?: PageContext): Promise<ReviewData | undefined>;

	/**
	 * Returns the reviews of a product as Markdown, for an endpoint, `llms.txt` or a page that is rendered on demand: each review
	 * is one quote, without markup of a stranger's. With the option `feeds.markdown`, prerendered pages have it as a file.
	 * @param page the context of the endpoint, or `Astro`: an update then says that the endpoint needs a rebuild.
	 * @example
	 * export const GET = async (context) => new Response(await reviewsMarkdown(context.params.id, context));
	 */
	export function reviewsMarkdown(pid: ProductId, page?: PageContext): Promise<string>;

	/**
	 * Returns the pages that the reviews of a product fill, for `getStaticPaths()` of pages with all reviews.
	 * @param list `perPage`: reviews on each page, 20 by default; `filter` and `limit`: those of the component; `component`: the
	 * one that shows them, `'ReviewSection'` by default.
	 * @returns params and props of each page, one at least.
	 * @example
	 * const pages = await reviewPages(product.id, { perPage: 50 });
	 * return pages.map(({ params, props }) => ({ params: { slug: product.slug, ...params }, props }));
	 */
	export function reviewPages(pid: ProductId, list?: PagedList): Promise<readonly ReviewPage[]>;

	/**
	 * Returns the columns about reviews of a product feed that you build yourself, to spread into the product's row. An object
	 * without columns if there is nothing to say: the product has no ratings, or no answered questions.
	 * @param format whose feed it is: `'openai'`, `'stripe'`, `'ucp'`, or `'google-questions'` for the questions and answers of
	 * Google Merchant Center, which need a token.
	 * @param page the context of the endpoint, or `Astro`: an update then says that the feed needs a rebuild.
	 * @example
	 * const rows = await Promise.all(
	 * 	products.map(async (product) => ({ ...toRow(product), ...(await ratingFields(product.id, 'openai')) })),
	 * );
	 */
	export function ratingFields<Format extends RatingFormat>(
		pid: ProductId,
		format: Format,
		page?: PageContext,
	): Promise<RatingFields[Format]>;

	/**
	 * Returns a `cacheKey` for a page that shows the reviews of these products, for adapters with their own prerenderer. With
	 * Astro's prerenderer, the integration extends the keys of pages automatically.
	 * @param own key of everything else on the page.
	 * @param page `Astro`, where a page shows the key. `getStaticPaths()` has none.
	 * @example
	 * Promise.all(
	 * 	products.map(async ({ id, digest }) => ({ params: { id }, cacheKey: await reviewsCacheKey([id], digest) })),
	 * );
	 */
	export function reviewsCacheKey(
		pids: readonly ProductId[],
		own?: string,
		page?: PageContext,
	): Promise<string>;

	/**
	 * Makes the server fetch the reviews of products again when they are next shown on a page that is rendered on demand, for
	 * example after a webhook. Does nothing in a build and in a dev server.
	 * @param pids all products by default.
	 * @returns whether all instances of the server do the same; `false` if the storage of the option `storage` fails. It takes
	 * effect on this instance at once.
	 */
	export function forgetReviews(pids?: readonly ProductId[]): Promise<boolean>;
}

declare module 'virtual:product-reviews/webhook' {
	export const settings: import('astro-product-reviews/webhook-endpoint').WebhookSettings;
	export const locateBuild: (() => { readonly root: URL; readonly outDir: string }) | undefined;
}
