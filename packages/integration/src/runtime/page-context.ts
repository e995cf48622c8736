import type { PlacedPage } from '../render/page-address.js';
import type { PageCache } from './page-cache.js';

/** What is used of `Astro`, the page that is being rendered. */
export interface PageContext extends PlacedPage {
	/** Its locale; `undefined` on a site without i18n. */
	readonly currentLocale?: string | undefined;
	/** Of a page that is rendered on demand. */
	readonly cache?: PageCache | undefined;
}
