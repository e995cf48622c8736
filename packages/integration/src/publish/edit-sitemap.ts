import { fullAddress } from '../pages/name-page.js';

/** What to change in a sitemap, or in an index of sitemaps. */
export interface SitemapEdit {
	/** Times in milliseconds since 1970, by what a `<loc>` contains. */
	readonly times: ReadonlyMap<string, number>;
	/** Whether entries without a `<lastmod>` get one. */
	readonly mayInsert: boolean;
}

/** A sitemap after an edit. */
export interface EditedSitemap {
	/** The text that was given if nothing changes. */
	readonly text: string;
	/** The latest time of its entries, among those that were given; `undefined` if it has none of them. */
	readonly newest: number | undefined;
}

/**
 * Sets the `<lastmod>` of entries, unless it is later already. Everything else stays as it is, byte for byte.
 * @param text in Latin 1, which keeps every byte. Addresses are in ASCII.
 */
export function editSitemap(text: string, { times, mayInsert }: SitemapEdit): EditedSitemap {
	let newest: number | undefined;
	const entry = entryOf(text);
	if (!entry) return { text, newest };
	const edited = text.replace(entry, (element) => {
		const loc = LOC.exec(element);
		const time = times.get(loc?.[1] ?? '');
		if (!loc || time === undefined) return element;
		newest = Math.max(newest ?? time, time);
		const lastmod = LASTMOD.exec(element);
		if (lastmod) {
			const [whole, start = '', given = '', end = ''] = lastmod;
			return Date.parse(given) < time ? element.replace(whole, start + isoTime(time) + end) : element;
		}
		if (!mayInsert || element.includes('<lastmod')) return element;
		const at = loc.index + loc[0].length;
		return `${element.slice(0, at)}<lastmod>${isoTime(time)}</lastmod>${element.slice(at)}`;
	});
	return { text: edited, newest };
}

/** The entries of a sitemap or an index; `undefined` for another file, or one that cannot be edited as text. */
function entryOf(text: string): RegExp | undefined {
	if (text.includes('<!--') || text.includes('<![CDATA[')) return undefined;
	if (text.includes('<urlset')) return /<url>[\s\S]*?<\/url>/g;
	return text.includes('<sitemapindex') ? /<sitemap>[\s\S]*?<\/sitemap>/g : undefined;
}

const LOC = /<loc>\s*([^<]*?)\s*<\/loc>/;
const LASTMOD = /(<lastmod>\s*)([^<]*?)(\s*<\/lastmod>)/;

/**
 * What the `<loc>` of a page may contain: Astro's `trailingSlash` and `build.format` decide how an address ends.
 * @param address path of the page's address, in readable form.
 */
export function locsOfPage(address: string, site: string): readonly string[] {
	const full = fullAddress(address, site).replace(/(?:\/index)?\.html$|\/$/, '');
	// Sitemaps have a "%" as it is.
	const found = new Set([full, full.replaceAll('%25', '%')]);
	return [...found].flatMap((start) =>
		['', '/', '.html', '/index.html'].map((end) => escapeXml(start + end)),
	);
}

/** What the `<loc>` of a file may contain. @param name relative to the output folder */
export function locsOfFile(name: string, site: string, base: string): readonly string[] {
	return [base, '/'].map((folder) => escapeXml(new URL(`${folder}/${name}`.replace(/^\/+/, '/'), site).href));
}

/** The only letter of an encoded address that XML does not take. */
function escapeXml(address: string): string {
	return address.replaceAll('&', '&amp;');
}

function isoTime(time: number): string {
	return new Date(time).toISOString();
}
