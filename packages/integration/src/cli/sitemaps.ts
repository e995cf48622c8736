import { basename } from 'node:path/posix';

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

const ADDRESS = /<loc>\s*([^<]*?)\s*<\/loc>/;
const LASTMOD = /<lastmod>\s*([^<]*?)\s*<\/lastmod>/;

const { compare } = new Intl.Collator('en', { numeric: true });

/** The common part of the names of numbered sitemaps: `sitemap`, `sitemap-blog`; `undefined` for other files. */
export function seriesOf(name: string): string | undefined {
	return NUMBERED.test(name) ? name.replace(NUMBERED, '') : undefined;
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
	const sorted = shards.map((files) => files.toSorted((one, other) => compare(one.name, other.name)));
	const read = sorted.map((files) => files.map(({ text }) => readSitemap(text, 'url')));
	const joined = join(read.flat());
	if (!joined) return undefined;
	const entries = [...joined.entries].toSorted(([one], [other]) => compare(one, other));
	// As many as a file has that is followed by another one.
	const full = read.flatMap((files) => files.slice(0, -1).map((file) => file?.entries.length ?? 0));
	const limit = Math.max(0, ...full) || ENTRY_LIMIT;
	return Array.from({ length: Math.max(1, Math.ceil(entries.length / limit)) }, (_, index) => {
		const part = entries.slice(index * limit, (index + 1) * limit).map(([, entry]) => entry);
		return { name: `${series}-${index}.xml`, text: joined.head + part.join('') + joined.tail };
	});
}

/**
 * Joins indexes of sitemaps.
 * @param texts of the same file in each shard.
 * @param sitemaps the joined sitemaps of the site. The index gets those that no shard has by itself, and new dates.
 * @returns `undefined` if these are not indexes.
 */
export function joinIndexes(texts: readonly string[], sitemaps: readonly TextFile[]): string | undefined {
	const joined = join(texts.map((text) => readSitemap(text, 'sitemap')));
	if (!joined) return undefined;
	const entries = new Map(joined.entries);
	for (const { name, text } of sitemaps) {
		const first = basename(`${seriesOf(name)}-0.xml`);
		const known = [...entries].find(([address]) => basename(address) === first);
		if (!known) continue;
		const [address, entry] = known;
		const own = address.slice(0, -first.length) + basename(name);
		const dates = readSitemap(text, 'url')?.entries.map(lastmodOf) ?? [];
		const newest = dates.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
		const next = entries.get(own) ?? entry.replace(address, () => own);
		entries.set(own, Number.isFinite(newest) ? setLastmod(next, newest) : next);
	}
	// Those of a series stand beside each other, where the first of them is.
	const bySeries = Map.groupBy(entries, ([address]) => seriesOf(address) ?? address);
	const sorted = [...bySeries.values()].flatMap((series) =>
		series.toSorted(([one], [other]) => compare(one, other)).map(([, entry]) => entry),
	);
	return joined.head + sorted.join('') + joined.tail;
}

/**
 * Reads a sitemap, or an index of sitemaps: its entries, and the text around them.
 * @returns `undefined` for a file that is not of this kind, or that has something between its entries.
 */
function readSitemap(text: string, tag: 'url' | 'sitemap') {
	const root = tag === 'url' ? 'urlset' : 'sitemapindex';
	const [open, close, end] = [`<${tag}>`, `</${tag}>`, `</${root}>`];
	const [head = '', ...parts] = text.split(new RegExp(`(?=${open}|${end})|(?<=${close})`));
	const tail = parts.pop() ?? '';
	const entries = parts.filter((part) => part.trim() !== '');
	const areEntries = entries.every((entry) => entry.startsWith(open) && entry.endsWith(close));
	return head.includes(`<${root}`) && tail.startsWith(end) && areEntries
		? { head, entries, tail }
		: undefined;
}

/**
 * Joins entries by address. Of two that differ only in their date, the later one stays.
 * @returns `undefined` if a file could not be read, or if two files or entries contradict each other.
 */
function join(files: readonly ReturnType<typeof readSitemap>[]) {
	const [first] = files;
	if (!first) return undefined;
	const { head, tail } = first;
	const entries = new Map<string, string>();
	for (const file of files) {
		if (file?.head !== head || file.tail !== tail) return undefined;
		for (const entry of file.entries) {
			const address = ADDRESS.exec(entry)?.[1];
			const known = entries.get(address ?? '') ?? entry;
			if (address === undefined || known.replace(LASTMOD, '') !== entry.replace(LASTMOD, ''))
				return undefined;
			entries.set(address, lastmodOf(entry) > lastmodOf(known) ? entry : known);
		}
	}
	return { head, entries, tail };
}

/** When the page of an entry last changed, in milliseconds since 1970; negative infinity if it does not say. */
function lastmodOf(entry: string): number {
	const time = Date.parse(LASTMOD.exec(entry)?.[1] ?? '');
	return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

function setLastmod(entry: string, time: number): string {
	const lastmod = `<lastmod>${new Date(time).toISOString()}</lastmod>`;
	return LASTMOD.test(entry) ? entry.replace(LASTMOD, lastmod) : entry.replace('</loc>', `</loc>${lastmod}`);
}
