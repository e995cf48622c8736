/** A sitemap, or an index of sitemaps, in parts. */
export interface ReadEntries {
	/** Before the first entry. */
	readonly head: string;
	readonly entries: readonly string[];
	/** After the last entry. */
	readonly tail: string;
}

/** All entries of several sitemaps, by address. */
export interface JoinedEntries {
	readonly head: string;
	readonly entries: ReadonlyMap<string, string>;
	readonly tail: string;
}

const ROOTS = { url: 'urlset', sitemap: 'sitemapindex' } as const;

/** @returns `undefined` for a file that is not of this kind, or that has something between its entries. */
export function readEntries(text: string, tag: keyof typeof ROOTS): ReadEntries | undefined {
	if (!text.includes(`<${ROOTS[tag]}`)) return undefined;
	const [open, close] = [`<${tag}>`, `</${tag}>`];
	const entries: string[] = [];
	const start = text.indexOf(open);
	if (start < 0) {
		const end = text.lastIndexOf(`</${ROOTS[tag]}>`);
		return end < 0 ? undefined : { head: text.slice(0, end), entries, tail: text.slice(end) };
	}
	let end = start;
	for (let at = start; at >= 0; at = text.indexOf(open, end)) {
		const next = text.indexOf(close, at) + close.length;
		if (next < at || text.slice(end, at).trim() !== '') return undefined;
		entries.push(text.slice(at, next));
		end = next;
	}
	return { head: text.slice(0, start), entries, tail: text.slice(end) };
}

/**
 * Joins entries by address. Of two that differ only in their date, the later one stays.
 * @returns `undefined` if a file could not be read, or if two files or entries contradict each other.
 */
export function joinEntries(files: readonly (ReadEntries | undefined)[]): JoinedEntries | undefined {
	const [first] = files;
	if (!first) return undefined;
	const entries = new Map<string, string>();
	for (const file of files) {
		if (file?.head !== first.head || file.tail !== first.tail) return undefined;
		for (const entry of file.entries) {
			const address = ADDRESS.exec(entry)?.[1];
			if (address === undefined) return undefined;
			const known = entries.get(address);
			if (known !== undefined && known.replace(LASTMOD, '') !== entry.replace(LASTMOD, '')) return undefined;
			if (known === undefined || isLater(entry, known)) entries.set(address, entry);
		}
	}
	return { head: first.head, entries, tail: first.tail };
}

function isLater(entry: string, known: string): boolean {
	return (lastmodOf(entry) ?? Number.NEGATIVE_INFINITY) > (lastmodOf(known) ?? Number.NEGATIVE_INFINITY);
}

/** When the page of an entry last changed, in milliseconds since 1970. */
export function lastmodOf(entry: string): number | undefined {
	const time = Date.parse(LASTMOD.exec(entry)?.[1] ?? '');
	return Number.isNaN(time) ? undefined : time;
}

/** An entry with this date. @param time milliseconds since 1970 */
export function setLastmod(entry: string, time: number): string {
	const lastmod = `<lastmod>${new Date(time).toISOString()}</lastmod>`;
	return LASTMOD.test(entry) ? entry.replace(LASTMOD, lastmod) : entry.replace('</loc>', `</loc>${lastmod}`);
}

const ADDRESS = /<loc>\s*([^<]*?)\s*<\/loc>/;
const LASTMOD = /<lastmod>\s*([^<]*?)\s*<\/lastmod>/;
