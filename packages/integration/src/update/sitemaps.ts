import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fullAddress } from '../base/paths.js';
import { isoTime } from '../base/words.js';
import { copiesOf, type RenewContext, replaceCopies, replaceFile } from '../project/files.js';
import type { Manifest } from '../project/manifest.js';

interface SitemapContext extends RenewContext {
	readonly build: Pick<Manifest, 'site' | 'base' | 'hasChanges'>;
}

/** Names that `@astrojs/sitemap` gives, whatever its options: `sitemap-0.xml`, `sitemap-blog-0.xml`, `sitemap-index.xml`. */
const SITEMAP = /-\d+\.xml$/;

const INDEX = /-index\.xml$/;

export async function renewSitemaps(
	times: ReadonlyMap<string, number>,
	context: SitemapContext,
): Promise<readonly string[]> {
	const { site, base } = context.build;
	if (site === undefined || times.size === 0) return [];
	const replaced: string[] = [];
	const timesOfPages = byLoc(times, (address) => locsOfPage(address, site));
	const names = await findFiles(context);
	const timesOfFiles = new Map<string, number>();
	for (const name of names.filter((found) => SITEMAP.test(found))) {
		const newest = await renew(name, timesOfPages, context, replaced);
		if (newest !== undefined) timesOfFiles.set(name, newest);
	}
	const timesOfSitemaps = byLoc(timesOfFiles, (name) => locsOfFile(name, site, base));
	for (const name of names.filter((found) => INDEX.test(found))) {
		await renew(name, timesOfSitemaps, context, replaced);
	}
	return replaced;
}

function byLoc(times: ReadonlyMap<string, number>, locsOf: (name: string) => readonly string[]) {
	return new Map([...times].flatMap(([name, time]) => locsOf(name).map((loc) => [loc, time] as const)));
}

async function renew(
	name: string,
	times: ReadonlyMap<string, number>,
	{ folder, copies, build, isDryRun, isResumed }: SitemapContext,
	replaced: string[],
): Promise<number | undefined> {
	const path = join(folder, name);
	const text = await readFile(path, 'latin1');
	const edited = editSitemap(text, times, build.hasChanges);
	const isChanged = edited.text !== text;
	if (isChanged && !isDryRun) {
		const contents = Buffer.from(edited.text, 'latin1');
		await replaceCopies(name, contents, copies);
		await replaceFile(path, contents);
	}
	if (isChanged || (isResumed && edited.newest !== undefined)) {
		replaced.push(name, ...(await copiesOf(folder, name)));
	}
	return edited.newest;
}

/**
 * Files with the name of a sitemap, relative to the output folder. They are in it, or in a folder of the site's base:
 * to look everywhere would take longer than all the rest.
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

/** Sets the `<lastmod>` of entries, unless it is later already. Everything else stays as it is, byte for byte. */
export function editSitemap(text: string, times: ReadonlyMap<string, number>, mayInsert: boolean) {
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

function tagOf(text: string): string | undefined {
	if (text.includes('<!--') || text.includes('<![CDATA[')) return undefined;
	if (text.includes('<urlset')) return 'url';
	return text.includes('<sitemapindex') ? 'sitemap' : undefined;
}

const LOC = '<loc>';

const LASTMOD = /(<lastmod>\s*)([^<]*?)(\s*<\/lastmod>)/;

/** Lists what the `<loc>` of a page may contain: Astro's `trailingSlash` and `build.format` decide how an address ends. */
export function locsOfPage(address: string, site: string): readonly string[] {
	const full = fullAddress(address, site).replace(/(?:\/index)?\.html$|\/$/, '');
	// Sitemaps have a "%" as it is.
	const found = new Set([full, full.replaceAll('%25', '%')]);
	return [...found].flatMap((start) =>
		['', '/', '.html', '/index.html'].map((end) => escapeXml(start + end)),
	);
}

export function locsOfFile(name: string, site: string, base: string): readonly string[] {
	return [base, '/'].map((folder) => escapeXml(new URL(`${folder}/${name}`.replace(/^\/+/, '/'), site).href));
}

/** The only letter of an encoded address that XML does not take. */
function escapeXml(address: string): string {
	return address.replaceAll('&', '&amp;');
}
