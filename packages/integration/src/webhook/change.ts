import type { Change } from 'product-reviews-webhook';
import { ALL_REVIEWS_TAG, reviewTag } from '../runtime/review-tag.js';
import { nameProducts } from '../text/words.js';

/** Products named in one line. */
const MOST_NAMED = 10;

/** A change, as a log line. */
export function describeChange({ pids, all }: Pick<Change, 'pids' | 'all'>): string {
	return all ? 'Any reviews may have changed.' : `Reviews changed: ${nameProducts(pids, MOST_NAMED)}.`;
}

/**
 * Tags of the cached pages that a change makes outdated. Tags are sent in a header, separated by commas. A product id that
 * does not fit into one is percent-encoded; one that only changes when encoded is purged in both forms.
 */
export function cacheTags({ pids, all }: Pick<Change, 'pids' | 'all'>): string[] {
	if (all) return [ALL_REVIEWS_TAG];
	const plain = pids.filter((pid) => FITS.test(pid)).map((pid) => `${ALL_REVIEWS_TAG}:${pid}`);
	return [...new Set([...plain, ...pids.map(reviewTag)])];
}

/** Visible ASCII without the comma. */
const FITS = /^[!-+\--~]+$/;
