import type { FragmentSettings } from '../render/fragment.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import type { ReviewSource } from '../runtime/source.js';
import type { DevPages } from './dev-pages.js';

/**
 * A source without reviews, for a dev server that does not know the service: components write nothing, except
 * `<ReviewSchema>`, which writes the page's own product.
 */
export function createEmptySource(settings: FragmentSettings, { ask, place }: DevPages): ReviewSource {
	const none = (from: 'reviews' | 'review-data' | 'rating') => async (pid: string) => {
		ask({ pid, from, version: undefined });
		return undefined;
	};
	return {
		async getFragment(pid, request) {
			ask({ pid, from: componentOf(request).from, version: undefined, request });
			const fragment = writeFragment(undefined, request, settings);
			for (const facts of fragment.facts) place({ ...facts, pid });
			return fragment;
		},
		getProductReviews: none('reviews'),
		getReviewData: none('review-data'),
		getStarRating: none('rating'),
		digestOf: async () => '',
		place,
	};
}
