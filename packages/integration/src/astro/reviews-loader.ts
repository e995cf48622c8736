import type { Loader, LoaderContext } from 'astro/loaders';
import { z } from 'astro/zod';
import { keepAlive } from '../base/async.js';
import { digestOf } from '../base/digest.js';
import { formAuthors } from '../base/people.js';
import { INTEGRATION_NAME } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { ProductSource } from '../options/schema.js';
import { readBuildChanges } from '../project/changed-products.js';
import { collectWarnings } from '../project/log-lines.js';
import { openReviews, type SiteContext } from '../project/open-reviews.js';
import type { ReviewData } from '../records/record.js';
import { reviewSites, reviewsCollections } from './project.js';

export type { ReviewData } from '../records/record.js';

/** Options of {@link reviewsLoader}. */
export interface ReviewsLoaderOptions {
	/** Products of the collection. @default the option `products` of the integration */
	readonly products?: ProductSource | undefined;
}

/**
 * Loads a content collection of everything that the service has about the reviews of each product. Each product is one
 * entry, with the product ID as its id. The loader needs the integration in the Astro configuration, and a token. It shares
 * the integration's options and cache, so only products with changed reviews are fetched again.
 *
 * Astro keeps whole collections in memory, so this is for up to about 1,000 products. For more, call `getReviewData(pid)`
 * of `virtual:product-reviews` in the page.
 * @throws ProductReviewsConfigurationError if the integration or the products are not set.
 * @throws ProductReviewsError if the service failed, nothing is stored, and `onError` makes that fail the build.
 * @example export const collections = { reviews: defineCollection({ loader: reviewsLoader() }) };
 */
export function reviewsLoader({ products }: ReviewsLoaderOptions = {}) {
	return {
		name: INTEGRATION_NAME,
		// The data has already been checked: the schema is only for its type.
		schema: z.custom<ReviewData>(),
		async load(context: LoaderContext): Promise<void> {
			const known = reviewSites().get(context.config.root.href);
			if (!known) {
				throw new ProductReviewsConfigurationError(
					'PR_INTEGRATION_MISSING',
					'reviewsLoader() is used without the integration.',
					'Add productReviews() to "integrations" in the Astro configuration.',
				);
			}
			let site: SiteContext;
			try {
				site = known.project.site();
			} catch (error) {
				if (!(error instanceof ProductReviewsConfigurationError)) throw error;
				// `astro sync` and `astro check` also load collections, and must work without an environment. A build fails.
				// The last line of a hint is about the code.
				const hint = error.hint.split('\n').slice(0, -1).join(' ');
				context.logger.warn(`${error.message} The collection is left unchanged. ${hint} [${error.code}]`);
				return;
			}
			const source = products ?? known.options.products;
			if (!source) {
				throw new ProductReviewsConfigurationError(
					'PR_INVALID_OPTIONS',
					'reviewsLoader() has no product list.',
					'Set the option "products" of productReviews() or of reviewsLoader().',
				);
			}
			await loadReviews(site, source, context);
		},
	} satisfies Loader;
}

/**
 * Fills a collection with the review data of products, within the limit of concurrent requests, and removes products that no
 * longer exist. Entries with the same data are left as they are.
 * @throws what {@link OpenReviews.assertWhole} and the product list throw.
 */
async function loadReviews(
	site: SiteContext,
	products: ProductSource,
	{ store: collection, logger, parseData, watcher }: LoaderContext,
): Promise<void> {
	const changed = readBuildChanges(logger);
	const { options, connection, settings } = site;
	const reviews = await openReviews({
		...site,
		command: watcher ? 'dev' : 'build',
		storage: watcher ? undefined : site.storage,
		lookUp: 'reviewData',
		products,
		changed,
		logger,
	});
	const { store, list, results, reviewData, advise } = reviews;
	await reviews.broadcast(changed);
	reviewsCollections().set(connection.account, true);
	const gone = new Set(collection.keys());

	const load = async (pid: string): Promise<void> => {
		const { value: data } = await keepAlive(reviewData.load(pid));
		if (!data) return;
		gone.delete(pid);
		// A change of the option only sets the entry again, without a request.
		const digest = digestOf(JSON.stringify([store.entry(pid, 'review-data')?.digest, settings.authorNames]));
		if (collection.get(pid)?.digest === digest) return;
		const shown = await parseData({ id: pid, data: { ...formAuthors(data, settings.authorNames) } });
		collection.set({ id: pid, data: shown, digest });
	};
	try {
		await keepAlive(reviews.readList(load, options.concurrency));
		const onError = watcher ? 'omit' : options.onError;
		const warnings = collectWarnings(results, { duplicates: list?.duplicates, onError, advise });
		for (const line of warnings) logger.warn(line);
		if (!watcher) reviews.assertWhole();
		for (const pid of gone) collection.delete(pid);
	} finally {
		await reviews.end();
		await reviews.close();
	}
}
