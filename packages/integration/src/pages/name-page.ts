interface Route {
	/** Path of the file that renders the page. */
	readonly component: string;
}

/** The name of a page, from its path in `getStaticPaths`, which does not include the site's base. */
export function nameOfPath(route: Route, pathname: string): string {
	return nameOf(route, pathname);
}

/**
 * The name of a page, from the address at which it is rendered, which depends on the site's base and format.
 * @param address path, in readable form.
 */
export function nameOfAddress(route: Route, address: string, base: string): string {
	return nameOf(route, afterBase(address, base));
}

/** The path of a request's address, in readable form. */
export function addressOf(request: Request): string {
	return readablePath(new URL(request.url).pathname);
}

/** A path without percent-encoding where possible. */
export function readablePath(pathname: string): string {
	try {
		return decodeURI(pathname);
	} catch {
		return pathname;
	}
}

/** The part of an address after the site's base, without slashes at its ends: empty for the home page. */
export function pathAfterBase(address: string, base: string): string {
	return afterBase(address, base).replace(/^\/|\/$/g, '');
}

/**
 * What identifies a page by its full address, however that ends: Astro's `trailingSlash` and `build.format` decide about it.
 * @returns `undefined` for what is not an address.
 */
export function keyOfAddress(address: string): string | undefined {
	const url = URL.parse(address);
	return url ? `${url.origin}/${withoutEnd(readablePath(url.pathname))}${url.search}${url.hash}` : undefined;
}

/**
 * The full address of a page, encoded as in links and sitemaps.
 * @param address path of its address, in readable form.
 */
export function fullAddress(address: string, site: string): string {
	const url = new URL('/', site);
	url.pathname = address.replace(ENCODED_AGAIN, encodeURIComponent);
	return url.href;
}

/** What is not encoded in readable form, and would be read as something else. */
const ENCODED_AGAIN = /%(?!2[3-46BCF]|3[ABDF]|40)|\\/gi;

function afterBase(address: string, base: string): string {
	return address.slice(readablePath(base).replace(/\/$/, '').length);
}

function nameOf({ component }: Route, pathname: string): string {
	return `${component} ${withoutEnd(pathname)}`;
}

function withoutEnd(pathname: string): string {
	return pathname.replace(/^\/|\/$/g, '').replace(/(?:^|\/)index\.html$|\.html$/, '');
}
