import { fullAddress, keyOfAddress } from '../pages/name-page.js';
import type { StoredPage } from '../pages/stored-page.js';
import { sharedMap } from '../runtime/shared-map.js';

/** When the reviews on each page last changed, in milliseconds since 1970, by {@link keyOfAddress}. */
const times = sharedMap<number>('page-changes');
/** Not empty if the times are wanted. */
const wishes = sharedMap<true>('page-changes-wanted');

/** Notes when the reviews on each page of a build last changed. */
export interface PageChanges {
	/** The time for what changed now. */
	now(): number;
	/** Notes a page. Its last call counts. */
	note(page: Pick<StoredPage, 'address' | 'changedAt'>): void;
}

/** Makes the builds of this process note the times. Otherwise they do not, because that takes time and memory. */
export function wantPageChanges(): void {
	wishes().set('', true);
}

/**
 * Starts to note the times of a build.
 * @param site Astro's option: without it, there is no sitemap.
 * @returns `undefined` if nobody wants them.
 */
export function startPageChanges(site: string | undefined, now: () => number): PageChanges | undefined {
	if (site === undefined || wishes().size === 0) return undefined;
	return {
		now,
		note({ address, changedAt }) {
			const key = keyOfAddress(fullAddress(address, site));
			if (key === undefined) return;
			if (changedAt === undefined) times().delete(key);
			else times().set(key, changedAt);
		},
	};
}

/** When the reviews on a page last changed, in milliseconds since 1970; `undefined` if this is unknown. */
export function findPageChange(url: string): number | undefined {
	const key = keyOfAddress(url);
	return key === undefined ? undefined : times().get(key);
}
