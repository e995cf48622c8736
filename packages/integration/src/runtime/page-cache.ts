import { ALL_REVIEWS_TAG, reviewTag } from './review-tag.js';
import type { Freshness } from './source.js';

/** The part of `Astro.cache` that is used: the route cache for the page being rendered. */
export interface PageCache {
	/** Whether the site has a route cache. */
	readonly enabled: boolean;
	readonly options: { readonly maxAge?: number };
	set(options: { tags?: string[]; maxAge?: number; swr?: number }): void;
}

/** How long to cache a page with old reviews, or with none because the service fails, in seconds. */
const SHORT = 10;

/** Tags the page with the product so that it can be purged when the reviews change. */
export function tagPage(cache: PageCache | undefined, pid: string): void {
	if (cache?.enabled) cache.set({ tags: [ALL_REVIEWS_TAG, reviewTag(pid)] });
}

/** Shortens the cache time of a page whose reviews are stale or missing. */
export function shortenPage(cache: PageCache | undefined, { state }: Freshness): void {
	const maxAge = cache?.enabled ? cache.options.maxAge : undefined;
	if (state !== 'fresh' && maxAge !== undefined) cache?.set({ maxAge: Math.min(maxAge, SHORT), swr: 0 });
}
