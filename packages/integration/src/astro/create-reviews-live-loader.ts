import type { LiveLoader } from 'astro/loaders';
import type { ProductId } from '../base/product-id.js';
import { INTEGRATION_NAME } from '../constants.js';
import { InvalidPropError } from '../errors.js';
import type { Runtime } from '../pages/index.js';
import { ALL_REVIEWS_TAG, reviewTag } from '../pages/page-source.js';
import type { ProductReviews } from '../records/record.js';

export function createReviewsLiveLoader(
	readEntry: Runtime['reviewEntry'],
): LiveLoader<ProductReviews, { id: ProductId }, { ids: readonly ProductId[] }> {
	const entryOf = async (id: ProductId) => {
		const { data, changedAt } = await readEntry(id);
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
	};
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
