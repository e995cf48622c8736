import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { digestOf } from '../base/digest.js';
import { unlessFailing } from '../base/failures.js';
import { openSqlite } from '../base/sqlite.js';
import { makeFolder, SQLITE_BUSY, sqliteCode } from '../cache/open-database.js';
import { POINTER_FOLDER } from '../constants.js';
import { fragmentsIn } from '../pages/match-files.js';
import { type BuildPlaces, type CopiedPages, outputFolders, realPath } from './manifest.js';

/** In milliseconds. */
const PAUSE = 50;

/**
 * Makes sure that one process at a time changes an output folder: a build, or an update. SQLite locks a file for us,
 * and the system releases it when its process ends, however it ends. The file is beside the pointer to the cache: builds with
 * other caches may write to the same folder.
 */
export async function lockOutput({
	root,
	outDir,
	patience,
	onWait,
}: {
	/** The project's folder. */
	readonly root: string;
	readonly outDir: string;
	readonly patience: number;
	readonly onWait: () => void;
}): Promise<(() => void) | undefined> {
	const name = digestOf(realPath(outDir)).slice(0, 12);
	const folder = join(realPath(root), POINTER_FOLDER);
	makeFolder(folder);
	const database = openSqlite(join(folder, `output-${name}.lock`));
	const end = performance.now() + patience;
	let isWaiting = false;
	while (!tryToLock(database)) {
		if (!isWaiting) onWait();
		isWaiting = true;
		if (performance.now() >= end) {
			database.close();
			return undefined;
		}
		await setTimeout(PAUSE);
	}
	return () => database.close();
}

function tryToLock(database: DatabaseSync): boolean {
	try {
		database.exec('BEGIN EXCLUSIVE');
		return true;
	} catch (error) {
		if (sqliteCode(error) === SQLITE_BUSY) return false;
		database.close();
		throw error;
	}
}

/** Folders are searched so deep: `.vercel/output/static` is 3. */
const MAX_DEPTH = 4;

/** Folders that are searched, at most. */
const MAX_FOLDERS = 1_000;

/** Folders without pages, or with too many files to look at. */
const SKIPPED = new Set(['node_modules', '.git', '.astro', 'src', 'public']);

/**
 * Finds the folders of a project with copies of the pages of a build, which are not known yet. Adapters make one, such as
 * `.vercel/output/static`, and so may other integrations and scripts. What is older than the build is a copy of another one,
 * and the output folders of others are theirs.
 * @returns their paths relative to the project, in order.
 */
export function findCopies(
	{ probe, since, folders }: CopiedPages,
	{ root: given, folder: pages }: Pick<BuildPlaces, 'root' | 'folder'>,
): readonly string[] {
	const root = realPath(given);
	const folder = resolve(root, pages);
	const except = [folder, ...outputFolders(root), ...folders.map((name) => resolve(root, name))];
	const wanted = namesIn(join(folder, probe));
	if (wanted === undefined) return [];
	const isCopy = (file: string) => {
		const stats = statSync(file, { throwIfNoEntry: false });
		return stats?.isFile() === true && stats.mtimeMs >= since && namesIn(file) === wanted;
	};
	const found: string[] = [];
	let level: readonly string[] = [root];
	let left = MAX_FOLDERS;
	for (let depth = 0; depth < MAX_DEPTH && left > 0; depth++) {
		const inside = level.slice(0, left).flatMap(foldersIn);
		left -= level.length;
		const { copies = [], others = [] } = Object.groupBy(
			inside.filter((path) => !except.includes(path)),
			(path) => (isCopy(join(path, probe)) ? 'copies' : 'others'),
		);
		found.push(...copies);
		level = others;
	}
	return found.map((path) => relative(root, path).replaceAll(sep, '/')).toSorted();
}

function foldersIn(folder: string): readonly string[] {
	// Folders that this process may not read are somebody else's.
	const entries = unlessFailing(() => readdirSync(folder, { withFileTypes: true })) ?? [];
	const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
	return folders.map(({ name }) => join(folder, name));
}

/** Names the fragments of a page; `undefined` if it has none. */
function namesIn(file: string): string | undefined {
	const contents = unlessFailing(() => readFileSync(file));
	const names = contents && fragmentsIn(contents).map(({ pid, key }) => `${pid} ${key}`);
	return names?.length ? names.toSorted().join('\n') : undefined;
}

/**
 * Chooses the page by which copies are found: a deep one, whose path no other folder has by chance.
 * @param filesOf returns the paths that the file of a page may have, relative to the folder.
 */
export function chooseProbe(
	folder: string,
	pages: Iterable<string>,
	filesOf: (page: string) => readonly string[],
): string | undefined {
	// A site may have 100,000 pages, so they are not sorted one by one.
	const byDepth = Map.groupBy(pages, (page) => page.split('/').length);
	const deepest = [...byDepth].toSorted(([one], [other]) => other - one).flatMap(([, found]) => found);
	for (const page of deepest.slice(0, MOST_READ)) {
		const found = filesOf(page).find((name) => namesIn(join(folder, name)) !== undefined);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Pages that are read to find one whose components have written something. */
const MOST_READ = 200;
