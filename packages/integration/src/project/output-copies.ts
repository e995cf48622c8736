import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fragmentsIn } from '../pages/match-files.js';
import { type BuildPlaces, type CopiedPages, outputFolders, realPath } from './manifest.js';

/** How deep folders are searched: `.vercel/output/static` is 3. */
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
	const level = [root];
	for (let depth = 0, searched = 0; depth < MAX_DEPTH && searched < MAX_FOLDERS; depth++) {
		const parents = level.splice(0, MAX_FOLDERS - searched);
		searched += parents.length;
		level.length = 0;
		for (const path of parents.flatMap(foldersIn)) {
			if (!except.includes(path)) (isCopy(join(path, probe)) ? found : level).push(path);
		}
	}
	return found.map((path) => relative(root, path).replaceAll(sep, '/')).toSorted();
}

function foldersIn(folder: string): readonly string[] {
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

/** Folders that this process may not read are somebody else's. */
function unlessFailing<Result>(read: () => Result): Result | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
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
	const depthOf = (page: string) => page.split('/').length;
	return [...pages]
		.toSorted((one, other) => depthOf(other) - depthOf(one))
		.slice(0, MOST_READ)
		.flatMap(filesOf)
		.find((name) => namesIn(join(folder, name)) !== undefined);
}

/** Pages that are read to find one whose components have written something. */
const MOST_READ = 200;
