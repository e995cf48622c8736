import type { Loader, LoaderContext } from 'astro/loaders';
import { z } from 'astro/zod';
import type { SiteContext } from '../build/run-context.js';
import { INTEGRATION_NAME } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { ProductSource } from '../options/schema.js';
import type { ReviewData } from '../parse/review-data.js';
import { loadReviews } from './load-reviews.js';
import { reviewSites } from './review-sites.js';

/** Options of {@link reviewsLoader}. */
export interface ReviewsLoaderOptions {
	/** Products of the collection. @default the option `products` of the integration */
	readonly products?: ProductSource | undefined;
}

/**
 * A content collection of everything that the service has about the reviews of each product. Each product is one entry,
 * with the product id as its id. It needs the integration in the Astro configuration, and a token. It shares the
 * integration's options and store, so only products with changed reviews are fetched again.
 *
 * Astro keeps whole collections in memory, so this is for up to about 1,000 products. For more, call `getReviewData(pid)`
 * of `virtual:product-reviews` in the page.
 * @throws ProductReviewsConfigurationError if the integration or the products are not set.
 * @throws ReviewsUnavailableError if the service failed, nothing is stored, and `onError` makes that fail the build.
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
			const site = orWarn(known.project.site, (message) => context.logger.warn(message));
			if (!site) return;
			const source = products ?? site.options.products;
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

/** `astro sync` and `astro check` also load collections, and must work without an environment. */
function orWarn(known: () => SiteContext, warn: (message: string) => void): SiteContext | undefined {
	try {
		return known();
	} catch (error) {
		if (!(error instanceof ProductReviewsConfigurationError)) throw error;
		// A build fails with the same error.
		warn(`${error.message} The collection is left unchanged. ${error.hint}`);
		return undefined;
	}
}
