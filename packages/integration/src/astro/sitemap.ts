import { findPageChange, wantPageChanges } from '../pages/build-pages.js';

/** The part of a sitemap's entry that is read and changed here. */
export interface DatedSitemapItem {
	/** Full address of the page. */
	url: string;
	/** A date in ISO 8601. */
	lastmod?: string | undefined;
}

// Configuration files are loaded before a build starts, so it knows whether the times are needed.
wantPageChanges();

/**
 * Sets the `lastmod` of a sitemap's entry to when the reviews on its page last changed. An entry that has a later `lastmod`
 * keeps it, and so does one of a page whose time is unknown: a page without reviews, or whose reviews have not changed since
 * the cache has known them.
 * @returns a copy of the entry.
 * @example
 * import sitemap from '@astrojs/sitemap';
 * import { reviewsLastModified } from 'astro-product-reviews/sitemap';
 *
 * integrations: [productReviews(), sitemap({ serialize: reviewsLastModified })]
 * @example
 * sitemap({ serialize: (item) => reviewsLastModified({ ...item, priority: 0.5 }) })
 */
export function reviewsLastModified<Item extends DatedSitemapItem>(item: Item): Item & DatedSitemapItem {
	const changedAt = findPageChange(item.url);
	const given = item.lastmod === undefined ? Number.NaN : Date.parse(item.lastmod);
	return changedAt === undefined || given > changedAt
		? { ...item }
		: { ...item, lastmod: new Date(changedAt).toISOString() };
}
