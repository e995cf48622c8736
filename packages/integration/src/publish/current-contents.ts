import { createFragments, digestOfFragment } from '../build/build-fragments.js';
import { digestOfRating } from '../build/dependencies.js';
import type { OpenReviews } from '../build/open-reviews.js';
import { createProductData } from '../build/product-data.js';
import type { FragmentSettings } from '../render/fragment.js';
import type { CurrentContents } from './plan-page.js';
import type { FailedProduct } from './published.js';

/** What pages show now, with the products for which this is not known. */
export interface FetchedContents extends CurrentContents {
	readonly failed: ReadonlyMap<string, FailedProduct>;
}

/** Asks the service for what is not known, once for each product. */
export function createContents(reviews: OpenReviews, settings: FragmentSettings): FetchedContents {
	const data = createProductData(reviews);
	const fragmentOf = createFragments(data, settings, undefined);
	const { outcomes } = reviews;
	const failed = new Map<string, FailedProduct>();
	return {
		failed,
		async isKnown({ pid, from }) {
			await data.settle(from, pid);
			if (outcomes[from].isSettled(pid)) return true;
			failed.set(pid, { pid, reason: outcomes[from].get(pid)?.reason ?? 'the service failed' });
			return false;
		},
		versionOf: ({ pid, from }) => data.versionOf(from, pid),
		isSameData: async ({ pid, from, digest }) =>
			digest !== undefined && digestOfRating(await data.readRating(from, pid)) === digest,
		async fragmentOf({ pid, from, request }) {
			if (!request) throw new TypeError('The page has no fragment there.');
			const fragment = await fragmentOf(pid, request, from);
			return { fragment, digest: digestOfFragment(fragment) };
		},
	};
}
