import type { Loader, LoaderContext } from 'astro/loaders';
import { z } from 'astro/zod';
import { INTEGRATION_NAME } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { ProductSource } from '../options/schema.js';
import type { ReviewData } from '../parse/review-data.js';
import { loadReviews } from './load-reviews.js';
import { reviewSites, type SiteContext } from './review-sites.js';

/** Options of {@link reviewsLoader}. */
export interface ReviewsLoaderOptions {
	/** Products of the collection. @default the option `products` of the integration */
	readonly products?: ProductSource | undefined;
}

/**
 * A content collection of everything that the service holds about the reviews of each product: an entry a product, its
 * id the product's. It needs the integration in the Astro configuration, and a token; it shares the integration's options
 * and store, so that only products whose reviews changed are asked for again.
 *
 * Astro keeps whole collections in memory: this is for up to about 1,000 products. For more, call `getReviewData(pid)` of
 * `virtual:product-reviews` in the page.
 * @throws ProductReviewsConfigurationError where the integration or the products are not known.
 * @throws ReviewsUnavailableError where the service failed, nothing is stored, and `onError` asks for the build to fail.
 * @example export const collections = { reviews: defineCollection({ loader: reviewsLoader() }) };
 */
export function reviewsLoader({ products }: ReviewsLoaderOptions = {}) {
	return {
		name: INTEGRATION_NAME,
		// What is loaded was checked already: the schema is there for its type.
		schema: z.custom<ReviewData>(),
		async load(context: LoaderContext): Promise<void> {
			const known = reviewSites().get(context.config.root.href);
			if (!known) {
				throw new ProductReviewsConfigurationError(
					'reviewsLoader() is used without the integration.',
					'Add productReviews() to "integrations" in the Astro configuration.',
				);
			}
			const site = orWarn(known, (message) => context.logger.warn(message));
			if (!site) return;
			const source = products ?? site.options.products;
			if (!source) {
				throw new ProductReviewsConfigurationError(
					'reviewsLoader() does not know the products.',
					'Set the option "products" of productReviews() or of reviewsLoader().',
				);
			}
			await loadReviews(site, source, context);
		},
	} satisfies Loader;
}

/** `astro sync` and `astro check` load collections, too, and must work where the environment is not set up. */
function orWarn(known: () => SiteContext, warn: (message: string) => void): SiteContext | undefined {
	try {
		return known();
	} catch (error) {
		if (!(error instanceof ProductReviewsConfigurationError)) throw error;
		// A build ends with the same error.
		warn(`${error.message} The collection stays as it is. ${error.hint}`);
		return undefined;
	}
}
