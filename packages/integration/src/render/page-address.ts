/** What `Astro` knows about the page being rendered. */
export interface PlacedPage {
	/**
	 * `Astro.url`. In a build, this is the address at which the page will be served, with the site's base and format.
	 */
	readonly url?: URL | undefined;
	/** `Astro.site`; `undefined` if the configuration has no `site`. */
	readonly site?: URL | undefined;
}

/**
 * The canonical address of the page: its path on the site. `undefined` without a `site`, because builds and dev servers
 * then only know this machine, and in a server island, whose address is not the page's.
 * @example pageAddress(Astro) // 'https://shop.example/products/kettle/'
 */
export function pageAddress({ url, site }: PlacedPage): string | undefined {
	if (!site || !url || url.pathname.includes(ISLANDS)) return undefined;
	// Not resolved as a reference, because a path that begins with two slashes would lead to another host.
	return `${site.protocol}//${site.host}${url.pathname}`;
}

/** The part of an address that is a server island's. */
export const ISLANDS = '/_server-islands/';
