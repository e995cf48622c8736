import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LastBuild } from '../build/last-build.js';
import { editSitemap, locsOfFile, locsOfPage, type SitemapEdit } from './edit-sitemap.js';
import { copiesOf, replaceFile } from './replace-file.js';

/** Where sitemaps are, and how they are changed. */
export interface SitemapContext {
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
export async function renewSitemaps(
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
