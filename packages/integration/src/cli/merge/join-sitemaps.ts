/** A file of a site. */
export interface TextFile {
	/** Relative to the output folder, with forward slashes. */
	readonly name: string;
	readonly text: string;
}

/** Names that `@astrojs/sitemap` gives: `sitemap-0.xml`, `sitemap-blog-0.xml`. */
const NUMBERED = /-(\d+)\.xml$/;

/** Entries of a file unless the option `entryLimit` of `@astrojs/sitemap` is set. */
const ENTRY_LIMIT = 45_000;

/** What the numbered sitemaps of one series have in common: `sitemap`, `sitemap-blog`; `undefined` for other files. */
export function seriesOf(name: string): string | undefined {
	return NUMBERED.test(name) ? name.replace(NUMBERED, '') : undefined;
}

/** Whether a file has the name of an index of sitemaps. */
export function isIndexName(name: string): boolean {
	return name.endsWith('-index.xml');
}

/**
 * Joins the sitemaps of one series: all their entries, in the order and in as many files as `@astrojs/sitemap` writes them.
 * @param shards the files of each shard, of the same series.
 * @returns `undefined` if these are not sitemaps, or if two entries of one address differ in more than their date.
 */
export function joinSitemaps(
	series: string,
	shards: readonly (readonly TextFile[])[],
): TextFile[] | undefined {
	const sorted = shards.map((files) => files.toSorted((one, other) => numberOf(one) - numberOf(other)));
	const read = sorted.map((files) => files.map(({ text }) => readEntries(text, 'url')));
	const joined = joinEntries(read.flat());
	if (!joined) return undefined;
	const entries = [...joined.entries].toSorted(([one], [other]) => compareAddresses(one, other));
	const limit = limitOf(read);
	const files = Math.max(1, Math.ceil(entries.length / limit));
	return Array.from({ length: files }, (_, index) => {
		const part = entries.slice(index * limit, (index + 1) * limit).map(([, entry]) => entry);
		return { name: `${series}-${index}.xml`, text: joined.head + part.join('') + joined.tail };
	});
}

/** As many as a file has that is followed by another one. */
function limitOf(shards: readonly (readonly (ReadEntries | undefined)[])[]): number {
	const full = shards.flatMap((files) => files.slice(0, -1).map((file) => file?.entries.length ?? 0));
	return Math.max(0, ...full) || ENTRY_LIMIT;
}

function numberOf({ name }: TextFile): number {
	return Number(NUMBERED.exec(name)?.[1]);
}

const { compare } = new Intl.Collator('en', { numeric: true });

function compareAddresses(one: string, other: string): number {
	return compare(unescapeXml(one), unescapeXml(other));
}

function unescapeXml(text: string): string {
	return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => LETTERS[name] ?? '');
}

const LETTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Joins indexes of sitemaps.
 * @param texts of the same file in each shard.
 * @param sitemaps the joined sitemaps of the site. The index gets those that no shard has by itself, and new dates.
 * @returns `undefined` if these are not indexes.
 */
export function joinIndexes(texts: readonly string[], sitemaps: readonly TextFile[]): string | undefined {
	const joined = joinEntries(texts.map((text) => readEntries(text, 'sitemap')));
	if (!joined) return undefined;
	const entries = new Map(joined.entries);
	for (const { name, text } of sitemaps) {
		const first = fileName(`${seriesOf(name)}-0.xml`);
		const known = [...entries].find(([address]) => fileName(address) === first);
		if (!known) continue;
		const [address, entry] = known;
		const own = address.slice(0, -first.length) + fileName(name);
		const newest = newestIn(text);
		const next = entries.get(own) ?? entry.replace(address, () => own);
		entries.set(own, newest === undefined ? next : setLastmod(next, newest));
	}
	return joined.head + inSeries([...entries]).join('') + joined.tail;
}

/** The sitemaps of a series beside each other, where the first of them is. */
function inSeries(entries: readonly (readonly [address: string, entry: string])[]): string[] {
	const bySeries = Map.groupBy(entries, ([address]) => seriesOf(address) ?? address);
	return [...bySeries.values()].flatMap((series) =>
		series.toSorted(([one], [other]) => compare(one, other)).map(([, entry]) => entry),
	);
}

function newestIn(text: string): number | undefined {
	let newest: number | undefined;
	for (const entry of readEntries(text, 'url')?.entries ?? []) {
		const time = lastmodOf(entry);
		if (time !== undefined) newest = Math.max(newest ?? time, time);
	}
	return newest;
}

function fileName(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}

/** A sitemap, or an index of sitemaps, in parts. */
interface ReadEntries {
	/** Before the first entry. */
	readonly head: string;
	readonly entries: readonly string[];
	/** After the last entry. */
	readonly tail: string;
}

/** All entries of several sitemaps, by address. */
interface JoinedEntries {
	readonly head: string;
	readonly entries: ReadonlyMap<string, string>;
	readonly tail: string;
}

const ROOTS = { url: 'urlset', sitemap: 'sitemapindex' } as const;

/** @returns `undefined` for a file that is not of this kind, or that has something between its entries. */
function readEntries(text: string, tag: keyof typeof ROOTS): ReadEntries | undefined {
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
function joinEntries(files: readonly (ReadEntries | undefined)[]): JoinedEntries | undefined {
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
function lastmodOf(entry: string): number | undefined {
	const time = Date.parse(LASTMOD.exec(entry)?.[1] ?? '');
	return Number.isNaN(time) ? undefined : time;
}

/** An entry with this date. @param time milliseconds since 1970 */
function setLastmod(entry: string, time: number): string {
	const lastmod = `<lastmod>${new Date(time).toISOString()}</lastmod>`;
	return LASTMOD.test(entry) ? entry.replace(LASTMOD, lastmod) : entry.replace('</loc>', `</loc>${lastmod}`);
}

const ADDRESS = /<loc>\s*([^<]*?)\s*<\/loc>/;

const LASTMOD = /<lastmod>\s*([^<]*?)\s*<\/lastmod>/;
