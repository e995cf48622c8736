import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Every file of a folder and of the folders in it, relative to it, with forward slashes, by name. */
export async function listFiles(folder: string): Promise<readonly string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => !entry.isDirectory())
		.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
		.sort();
}
