import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** What is in a folder and in the folders in it, by names relative to it, with forward slashes. */
export interface ListedFiles {
	readonly files: readonly string[];
	/** Links that lead out of the folder, to a folder or nowhere, and what is neither a file nor a folder. */
	readonly others: readonly string[];
}

/** Lists every file of a folder, by name. */
export async function listFiles(folder: string): Promise<ListedFiles> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const root = await realpath(folder);
	const [files, others]: [string[], string[]] = [[], []];
	for (const entry of entries) {
		if (entry.isDirectory()) continue;
		const path = join(entry.parentPath, entry.name);
		const isFile = entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path, root)));
		(isFile ? files : others).push(relative(folder, path).replaceAll(sep, '/'));
	}
	return { files: files.sort(), others: others.sort() };
}

async function leadsToFile(link: string, root: string): Promise<boolean> {
	try {
		const path = await realpath(link);
		return path.startsWith(root + sep) && (await stat(path)).isFile();
	} catch {
		return false;
	}
}
