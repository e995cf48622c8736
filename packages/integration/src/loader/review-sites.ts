import type { RunContext } from '../build-run.js';

/** What the integration knows of a site: its options, where the service is, and where the store lies. */
export type SiteContext = Omit<RunContext, 'logger'>;

const SLOT = Symbol.for('astro-product-reviews.sites');

/**
 * The sites of this process by the address of their root folder. Astro hands integrations to content loaders without
 * what they know, and may load this module twice: the global object is what both see.
 */
export function reviewSites(): Map<string, () => SiteContext> {
	const holder = globalThis as { [SLOT]?: Map<string, () => SiteContext> };
	holder[SLOT] ??= new Map();
	return holder[SLOT];
}
