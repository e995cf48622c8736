/** A path without percent-encoding where possible. */
export function readablePath(pathname: string): string {
	return decodeWith(decodeURI, pathname);
}

function decodeWith(decode: (path: string) => string, path: string): string {
	try {
		return decode(path);
	} catch {
		return path;
	}
}

export function nameOfAddress(address: string, base: string): string {
	return nameOfPath(afterBase(address, base));
}

/** Every file that may be the page's. Which one it is depends on Astro's `build.format` and on the kind of page. */
export function fileNames(address: string, base: string): readonly string[] {
	const path = trimSlashes(afterBase(address, base));
	// The home page.
	if (path === '') return ['index.html'];
	return [...new Set([path, decodePath(path)])]
		.filter(isInside)
		.flatMap((name) => [name, `${name}/index.html`, `${name}.html`]);
}

export function isInside(name: string): boolean {
	return !name.split(/[/\\]/).includes('..') && !CONTROL.test(name);
}

const CONTROL = /\p{Cc}/u;

/** Decodes a path as file names have it: with the characters that a readable address still encodes, such as "?". */
export function decodePath(path: string): string {
	return decodeWith(decodeURIComponent, path);
}

/**
 * Returns what identifies a page by its full address, however that ends: Astro's `trailingSlash` and `build.format`
 * decide about it. `undefined` if it is no address.
 */
export function keyOfAddress(address: string): string | undefined {
	const url = URL.parse(address);
	return url ? `${url.origin}/${nameOfPath(readablePath(url.pathname))}${url.search}${url.hash}` : undefined;
}

export function fullAddress(address: string, site: string): string {
	const url = new URL('/', site);
	url.pathname = address.replace(ENCODED_AGAIN, encodeURIComponent);
	return url.href;
}

/** Characters that are not encoded in readable form, and would be read as something else. */
const ENCODED_AGAIN = /%(?!2[3-46BCF]|3[ABDF]|40)|\\/gi;

/** Returns a readable address without the site's base. */
export function afterBase(address: string, base: string): string {
	return address.slice(readablePath(base).replace(/\/$/, '').length);
}

export function trimSlashes(path: string): string {
	return path.replace(/^\/|\/$/g, '');
}

/**
 * The name of a page in the cache: its path without the site's base, and without the end that Astro's `trailingSlash`
 * and `build.format` decide about.
 */
export function nameOfPath(pathname: string): string {
	return trimSlashes(pathname).replace(/(?:^|\/)index\.html$|\.html$/, '');
}

/** Returns a file as the path of its address has it. @example withoutIndex('kettle/index.html') // 'kettle/' */
export function withoutIndex(file: string): string {
	return file.replace(/(?:^|(?<=\/))index\.html$/, '');
}

/**
 * Returns the file with a page's reviews as Markdown, relative to the output folder. The home page has no name: it is `index`,
 * and nothing where the pattern makes a folder of it.
 * @param pattern the option `feeds.markdown`, with `{page}` for the page's name.
 * @example markdownFile('{page}/reviews.md', 'products/kettle') // 'products/kettle/reviews.md'
 */
export function markdownFile(pattern: string, name: string): string {
	const decoded = decodePath(name);
	const page = (isInside(decoded) ? decoded : name).replace(/^\/+/, '');
	const own = page === '' ? pattern.replaceAll('{page}/', '') : pattern;
	const file = own.replaceAll('{page}', () => page || 'index');
	return isInside(file) ? file : own.replaceAll('{page}', () => encodeURIComponent(page));
}

/** Returns the path of a file's address. @param file relative to the output folder. */
export function addressOfFile(file: string, base: string): string {
	return `${base.replace(/\/$/, '')}/${file.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns the pattern of files with Markdown, by default beside the page's `index.html`; `undefined` if there are none. */
export function markdownPattern({ markdown }: { readonly markdown: boolean | string }): string | undefined {
	return markdown === true ? '{page}/reviews.md' : markdown || undefined;
}
