import type { LiveLoader } from 'astro/loaders';
import { reviewEntry } from 'astro-product-reviews/internal';
import type { ProductId } from '../base/product-id.js';
import { INTEGRATION_NAME } from '../constants.js';
import { InvalidPropError } from '../errors.js';
import { ALL_REVIEWS_TAG, reviewTag } from '../pages/page-source.js';
import type { ProductReviews } from '../records/record.js';

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
export function liveReviewsLoader(): LiveLoader<
	ProductReviews,
	{ id: ProductId },
	{ ids: readonly ProductId[] }
> {
	return {
		name: INTEGRATION_NAME,
		loadEntry: ({ filter: { id } }) => entryOf(id),
		async loadCollection({ filter }) {
			if (!filter?.ids) {
				return {
					error: new InvalidPropError(
						'The live collection of reviews needs product IDs, such as getLiveCollection(name, { ids: ["p-1"] }).',
					),
				};
			}
			const ids = [...new Set(filter.ids.map(String))];
			const entries = await Promise.all(ids.map(entryOf));
			return {
				entries: entries.filter((entry) => entry !== undefined),
				// Products without reviews may get some.
				cacheHint: { tags: [ALL_REVIEWS_TAG, ...ids.map(reviewTag)] },
			};
		},
	};
}

async function entryOf(id: ProductId) {
	const { data, changedAt } = await reviewEntry(id);
	const pid = String(id);
	return (
		data && {
			id: pid,
			data,
			cacheHint: {
				tags: [ALL_REVIEWS_TAG, reviewTag(pid)],
				...(changedAt !== undefined && { lastModified: new Date(changedAt) }),
			},
		}
	);
}
