interface Route {
	/** Path of the file that renders the page. */
	readonly component: string;
}

/** The name of a page by its path, as `getStaticPaths` gives it: without the site's base. */
export function nameOfPath(route: Route, pathname: string): string {
	return nameOf(route, pathname);
}

/** The same by the request that renders it, whose address is as the site's base and format make it. */
export function nameOfRequest(route: Route, request: Request, base: string): string {
	return nameOf(route, addressOf(request).slice(readablePath(base).replace(/\/$/, '').length));
}

/** The path of a request's address, readable. */
export function addressOf(request: Request): string {
	return readablePath(new URL(request.url).pathname);
}

/** A path with its letters as they are read. */
export function readablePath(pathname: string): string {
	try {
		return decodeURI(pathname);
	} catch {
		return pathname;
	}
}

function nameOf({ component }: Route, pathname: string): string {
	return `${component} ${pathname.replace(/^\/|\/$/g, '').replace(/(?:^|\/)index\.html$|\.html$/, '')}`;
}
