import type { PlacedPage } from '../render/page-address.js';
import type { PageCache } from './page-cache.js';

/** The part of `Astro` that is used: the page being rendered. */
export interface PageContext extends PlacedPage {
	/** Its locale; `undefined` on a site without i18n. */
	readonly currentLocale?: string | undefined;
	/** The route cache of a page that is rendered on demand. */
	readonly cache?: PageCache | undefined;
}
