import { join, resolve } from 'node:path';
import { STORE_FOLDER } from '../constants.js';

/**
 * Folder of a project's store.
 * @param root of the project, absolute.
 * @param given the option `cacheDir`, relative to the root.
 * @param astroCacheDir Astro's own `cacheDir`, absolute.
 */
export function storeFolder(
	root: string,
	given: string | undefined,
	astroCacheDir = join(root, 'node_modules/.astro'),
): string {
	return given ? resolve(root, given) : join(astroCacheDir, STORE_FOLDER);
}
