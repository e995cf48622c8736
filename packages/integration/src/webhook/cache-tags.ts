import type { Change } from 'product-reviews-webhook';

/** Tag of every cached page that shows reviews, whichever these are. */
const ANY = 'reviews';

/**
 * Tags of the cached pages that a change makes outdated. A header carries tags, with commas between them: the id of a
 * product that does not fit into one is written as in an address, and one that only changes there is looked for both ways.
 */
export function cacheTags({ pids, all }: Pick<Change, 'pids' | 'all'>): string[] {
	if (all) return [ANY];
	const written = pids.flatMap((pid) => [pid, encodeURIComponent(pid)]).filter((pid) => FITS.test(pid));
	return [...new Set(written)].map((pid) => `${ANY}:${pid}`);
}

/** Visible ASCII without the comma. */
const FITS = /^[!-+\--~]+$/;
