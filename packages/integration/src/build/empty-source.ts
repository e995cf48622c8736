import type { FragmentSettings } from '../render/fragment.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import type { ReviewSource } from '../runtime/source.js';
import type { DevPages } from './dev-pages.js';
import type { From } from './product-data.js';

/**
 * A source without reviews, for a dev server that does not know the service: components write nothing, except
 * `<ReviewSchema>`, which writes the page's own product.
 */
export function createEmptySource(settings: FragmentSettings, { ask, place }: DevPages): ReviewSource {
	const none = (from: From) => async (pid: string) => {
		ask({ pid, from, version: undefined });
		return undefined;
	};
	return {
		async getFragment(pid, request) {
			ask({ pid, from: withoutLists(componentOf(request).from), version: undefined, request });
			const fragment = writeFragment(undefined, request, settings);
			for (const facts of fragment.facts) place({ ...facts, pid });
			return fragment;
		},
		getProductReviews: none('reviews'),
		getReviewData: none('review-data'),
		getStarRating: none('reviews'),
		digestOf: async () => '',
		place,
	};
}

/** Without a token, ratings come with the reviews. */
function withoutLists(from: From): From {
	return from === 'rating' ? 'reviews' : from;
}
