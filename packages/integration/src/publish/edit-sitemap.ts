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
	const tag = tagOf(text);
	const pieces: string[] = [];
	let newest: number | undefined;
	let position = 0;
	// Nearly all entries are skipped here: a sitemap may have 50,000.
	for (let at = text.indexOf(LOC); tag && at >= 0; at = text.indexOf(LOC, at + LOC.length)) {
		const time = times.get(text.slice(at + LOC.length, text.indexOf('<', at + 1)).trim());
		const start = time === undefined ? -1 : text.lastIndexOf(`<${tag}>`, at);
		const end = start < position ? -1 : text.indexOf(`</${tag}>`, start);
		if (time === undefined || end < at) continue;
		newest = Math.max(newest ?? time, time);
		pieces.push(text.slice(position, start), editEntry(text.slice(start, end), time, mayInsert));
		position = end;
	}
	return { text: pieces.join('') + text.slice(position), newest };
}

function editEntry(entry: string, time: number, mayInsert: boolean): string {
	const lastmod = LASTMOD.exec(entry);
	if (lastmod) {
		const [whole, start = '', given = '', end = ''] = lastmod;
		return Date.parse(given) < time ? entry.replace(whole, start + isoTime(time) + end) : entry;
	}
	if (!mayInsert || entry.includes('<lastmod')) return entry;
	return entry.replace('</loc>', `</loc><lastmod>${isoTime(time)}</lastmod>`);
}

/** The element of each entry in a sitemap or an index; `undefined` for another file, or one that cannot be edited as text. */
function tagOf(text: string): string | undefined {
	if (text.includes('<!--') || text.includes('<![CDATA[')) return undefined;
	if (text.includes('<urlset')) return 'url';
	return text.includes('<sitemapindex') ? 'sitemap' : undefined;
}

const LOC = '<loc>';
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
