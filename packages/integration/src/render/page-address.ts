/** What `Astro` says of the page that is being rendered. */
export interface PlacedPage {
	/** `Astro.url`. In a build it is the address under which the page will be served, with the site's base and format. */
	readonly url?: URL | undefined;
	/** `Astro.site`; `undefined` where the configuration has no `site`. */
	readonly site?: URL | undefined;
}

/**
 * The page's own canonical address: its path on the site. `undefined` without a `site`, since a build and a dev server
 * only know this machine then, and in a server island, whose address is not the page's.
 * @example pageAddress(Astro) // 'https://shop.example/products/kettle/'
 */
export function pageAddress({ url, site }: PlacedPage): string | undefined {
	if (!site || !url || url.pathname.includes(ISLANDS)) return undefined;
	const address = new URL(site);
	// Not resolved as a reference: a path that begins with two slashes would lead to another host.
	address.pathname = url.pathname;
	address.search = '';
	address.hash = '';
	return address.href;
}

const ISLANDS = '/_server-islands/';
