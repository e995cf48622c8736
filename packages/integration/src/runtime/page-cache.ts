import { ALL_REVIEWS_TAG, reviewTag } from './review-tag.js';
import type { Freshness } from './source.js';

/** What is used of `Astro.cache`, the route cache for the page that is being rendered. */
export interface PageCache {
	/** Whether the site has a route cache. */
	readonly enabled: boolean;
	readonly options: { readonly maxAge?: number };
	set(options: { tags?: string[]; maxAge?: number; swr?: number }): void;
}

/** How long a page is kept that shows old reviews, or none because the service fails, in seconds. */
const SHORT = 10;

/** Marks the page with the product, so that it can be purged when the reviews change. */
export function tagPage(cache: PageCache | undefined, pid: string): void {
	if (cache?.enabled) cache.set({ tags: [ALL_REVIEWS_TAG, reviewTag(pid)] });
}

/** Has a page kept for a short time only that does not show the reviews as they are. */
export function shortenPage(cache: PageCache | undefined, { state }: Freshness): void {
	const maxAge = cache?.enabled ? cache.options.maxAge : undefined;
	if (state !== 'fresh' && maxAge !== undefined) cache?.set({ maxAge: Math.min(maxAge, SHORT), swr: 0 });
}
