import { reviewEntry } from 'astro-product-reviews/internal';
import { createReviewsLiveLoader } from './create-reviews-live-loader.js';

/**
 * Creates a loader for a live content collection: the reviews of products in pages rendered on demand, with hints for the route
 * cache. A page loads one product by its id, or several by a list of ids.
 *
 * @example
 * // src/live.config.ts
 * import { defineLiveCollection } from 'astro:content';
 * import { liveReviewsLoader } from 'astro-product-reviews/live-loader';
 * export const collections = { reviews: defineLiveCollection({ loader: liveReviewsLoader() }) };
 * // in a page: const { entry, error, cacheHint } = await getLiveEntry('reviews', 'p-1');
 */
export const liveReviewsLoader = () => createReviewsLiveLoader(reviewEntry);
