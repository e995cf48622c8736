import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of a key's file, by the protocol of IndexNow. */
const NAME = /^([a-zA-Z0-9-]{8,128})\.txt$/;

/** Longest file that may be one of a key, in bytes: other texts are not read. */
const MOST_BYTES = 200;

/**
 * Finds the key for IndexNow: a text file whose content is its name.
 * @param folder the output folder.
 * @returns `undefined` if there is none.
 */
export async function findKey(folder: string): Promise<string | undefined> {
	for (const name of (await readdir(folder)).toSorted()) {
		const [, key] = NAME.exec(name) ?? [];
		const path = join(folder, name);
		if (key === undefined || (await stat(path)).size > MOST_BYTES) continue;
		if ((await readFile(path, 'utf8')).trim() === key) return key;
	}
	return undefined;
}
