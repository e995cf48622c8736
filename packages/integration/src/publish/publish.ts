import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fullAddress } from '../pages/page.js';
import type { LastBuild } from '../session/last-build.js';
import { openReviews } from '../session/open-reviews.js';
import { shareWithOthers, tellOthers } from '../session/shared.js';
import { connectionOf, environmentOf, storageOf } from '../session/trust.js';
import { type ReviewStore, SENT_KINDS } from '../store/review-store.js';
import { ALL_PRODUCTS } from '../store/rows.js';
import { copiesOf, replaceFile } from './files.js';
import { type PublishedProducts, publishProducts } from './publish-products.js';
import { openUnfinished } from './run-publish.js';

/** Where and how to publish. */
export interface PublishContext {
	/** Path of the store's file. */
	readonly storeFile: string;
	readonly build: LastBuild;
	/** Whether to say what would be done, and do nothing. */
	readonly isDryRun: boolean;
	/** Whether somebody is to be told which files changed. If nobody can be, the next run says it again. */
	readonly tells?: boolean;
	readonly warn: (message: string) => void;
	/** Called after each hundred products. */
	readonly onProgress: (done: number, total: number) => void;
}

/** Product ids, or which products of the store. */
export type GivenProducts = readonly string[] | 'marked' | 'all';

/** What a run published. */
export interface PublishedRun extends PublishedProducts {
	/** Identifies a run that is not finished before somebody was told of its files. */
	readonly run?: string;
}

/** Age does not matter: what changed is named or marked. In milliseconds. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Brings the reviews of products into the files of the last build.
 * @param given product ids; `'marked'` for those that are marked as changed in the store; `'all'` for all that pages show.
 * @throws ProductReviewsConfigurationError if the build had a token and there is none now.
 * @throws Error of the file system.
 */
export async function publish(given: GivenProducts, context: PublishContext): Promise<PublishedRun> {
	const { storeFile, build, isDryRun, tells = false, warn } = context;
	const options = { ...build.options, onError: 'stale', revalidate: 'age', maxAge: NEVER } as const;
	const environment = environmentOf(build);
	const connection = connectionOf(build, environment);
	const changed = { pids: typeof given === 'string' ? [] : given, all: given === 'all' };
	const shared = isDryRun
		? undefined
		: await shareWithOthers({
				storage: storageOf(build, environment, warn),
				connection,
				options,
				logger: { info: warn, warn },
			});
	const reviews = openReviews({
		command: 'build',
		options,
		connection,
		storeFile,
		shared,
		changed,
		warn,
		info: warn,
	});
	if (shared) tellOthers(shared, reviews.store, changed);
	const { store, service, revalidation } = reviews;
	const unfinished = openUnfinished(store, build.at, Date.now());
	const { since } = unfinished;
	const pids = [...new Set([...unfinished.pids, ...productsOf(given, store, revalidation.isOutdated)])];
	try {
		// Those that fail, or are not reached, are asked for by the next run, whatever it is given.
		if (given === 'all') revalidation.mark(pids);
		const run = unfinished.begin(pids, tells && !isDryRun);
		const where = { build, folder: resolve(build.root, build.folder), isDryRun };
		const { published, pages } = await publishProducts(pids, {
			...where,
			reviews,
			since,
			now: Date.now,
			onProgress: (number) => context.onProgress(number, pids.length),
		});
		const times = new Map([...pages].filter((page): page is [string, number] => page[1] !== undefined));
		const sitemaps = await renewSitemaps(times, { ...where, isResumed: unfinished.pids.length > 0 });
		const files = [...published.files, ...sitemaps];
		// Whoever is to be told of files ends the run after that.
		const isLeft = tells && files.length > 0;
		if (!isDryRun && !isLeft) unfinished.end(run, tells);
		return { published: { ...published, files }, pages, ...(isLeft && { run }) };
	} finally {
		await service.close();
		await shared?.end();
		store.close();
	}
}

function productsOf(
	given: GivenProducts,
	store: ReviewStore,
	isOutdated: (pid: string, fetchedAt: number) => boolean,
): readonly string[] {
	if (typeof given !== 'string') return given;
	if (given === 'all') return store.pages().products();
	const marked = store.pids('mark');
	// A mark that was lost may have been any product's.
	const all = marked.includes(ALL_PRODUCTS) ? store.pages().products() : [];
	const pids = new Set([...marked.filter((pid) => pid !== ALL_PRODUCTS), ...all]);
	return [...pids].filter((pid) => isOutdated(pid, oldestOf(store, pid)));
}

/** When the oldest value of a product was fetched, in milliseconds since 1970. */
function oldestOf(store: ReviewStore, pid: string): number {
	const times = SENT_KINDS.map((kind) => store.table(kind).entry(pid)?.fetchedAt ?? Number.POSITIVE_INFINITY);
	const oldest = Math.min(...times);
	return Number.isFinite(oldest) ? oldest : Number.NEGATIVE_INFINITY;
}

/** Where sitemaps are, and how they are changed. */
interface SitemapContext {
	/** Absolute path of the output folder. */
	readonly folder: string;
	readonly build: Pick<LastBuild, 'site' | 'base' | 'hasChanges'>;
	/** Whether to find out everything, and to write nothing. */
	readonly isDryRun: boolean;
	/** Whether an earlier run may have replaced files, and told nobody. */
	readonly isResumed?: boolean;
}

/** Names that `@astrojs/sitemap` gives, whatever its options: `sitemap-0.xml`, `sitemap-blog-0.xml`, `sitemap-index.xml`. */
const SITEMAP = /-\d+\.xml$/;

const INDEX = /-index\.xml$/;

/**
 * Sets the `lastmod` of pages in the sitemaps of the output folder, and that of these sitemaps in their index.
 * @param times when the reviews on pages changed, in milliseconds since 1970, by the readable path of the page's address.
 * @returns the files that were replaced, relative to the output folder.
 * @throws Error of the file system.
 */
async function renewSitemaps(
	times: ReadonlyMap<string, number>,
	context: SitemapContext,
): Promise<readonly string[]> {
	const { site, base, hasChanges: mayInsert } = context.build;
	if (site === undefined || times.size === 0) return [];
	const replaced: string[] = [];
	const timesOfPages = byLoc(times, (address) => locsOfPage(address, site));
	const names = await findFiles(context);
	const timesOfFiles = new Map<string, number>();
	for (const name of names.filter((found) => SITEMAP.test(found))) {
		const newest = await renew(name, { times: timesOfPages, mayInsert }, context, replaced);
		if (newest !== undefined) timesOfFiles.set(name, newest);
	}
	const timesOfSitemaps = byLoc(timesOfFiles, (name) => locsOfFile(name, site, base));
	for (const name of names.filter((found) => INDEX.test(found))) {
		await renew(name, { times: timesOfSitemaps, mayInsert }, context, replaced);
	}
	return replaced;
}

function byLoc(times: ReadonlyMap<string, number>, locsOf: (name: string) => readonly string[]) {
	return new Map([...times].flatMap(([name, time]) => locsOf(name).map((loc) => [loc, time] as const)));
}

/** @returns the latest of the times that apply to the file, whether it has them already or not */
async function renew(
	name: string,
	edit: SitemapEdit,
	{ folder, isDryRun, isResumed = false }: SitemapContext,
	replaced: string[],
): Promise<number | undefined> {
	const path = join(folder, name);
	const text = await readFile(path, 'latin1');
	const edited = editSitemap(text, edit);
	const isChanged = edited.text !== text;
	if (isChanged && !isDryRun) await replaceFile(path, Buffer.from(edited.text, 'latin1'));
	if (isChanged || (isResumed && edited.newest !== undefined)) {
		replaced.push(name, ...(await copiesOf(folder, name)));
	}
	return edited.newest;
}

/**
 * Files with the name of a sitemap, relative to the output folder. They are in it, or in a folder of the site's base: to look
 * everywhere would take longer than all the rest.
 */
async function findFiles({ folder, build }: SitemapContext): Promise<readonly string[]> {
	const parts = build.base.split('/').filter((part) => part !== '');
	const folders = ['', ...parts.map((_part, index) => `${parts.slice(0, index + 1).join('/')}/`)];
	const found = await Promise.all(
		folders.map(async (within) => {
			const entries = await readdir(join(folder, within), { withFileTypes: true }).catch(() => []);
			return entries.filter((entry) => entry.isFile()).map(({ name }) => within + name);
		}),
	);
	return found.flat().filter((name) => SITEMAP.test(name) || INDEX.test(name));
}

/** What to change in a sitemap, or in an index of sitemaps. */
interface SitemapEdit {
	/** Times in milliseconds since 1970, by what a `<loc>` contains. */
	readonly times: ReadonlyMap<string, number>;
	/** Whether entries without a `<lastmod>` get one. */
	readonly mayInsert: boolean;
}

/** A sitemap after an edit. */
interface EditedSitemap {
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
