import type { Change } from 'product-reviews-webhook';
import { ALL_REVIEWS_TAG, reviewTag } from '../runtime/review-tag.js';

/**
 * Tags of the cached pages that a change makes outdated. A header carries tags, with commas between them: the id of a
 * product that does not fit into one is written as in an address, and one that only changes there is looked for both ways.
 */
export function cacheTags({ pids, all }: Pick<Change, 'pids' | 'all'>): string[] {
	if (all) return [ALL_REVIEWS_TAG];
	const plain = pids.filter((pid) => FITS.test(pid)).map((pid) => `${ALL_REVIEWS_TAG}:${pid}`);
	return [...new Set([...plain, ...pids.map(reviewTag)])];
}

/** Visible ASCII without the comma. */
const FITS = /^[!-+\--~]+$/;
