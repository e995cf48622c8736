import { join, resolve } from 'node:path';
import { STORE_FOLDER } from '../constants.js';

/**
 * Folder of the store of a project.
 * @param root of the project, absolute.
 * @param given the option `cacheDir`, from the root.
 * @param astroCacheDir Astro's own `cacheDir`, absolute.
 */
export function storeFolder(
	root: string,
	given: string | undefined,
	astroCacheDir = join(root, 'node_modules/.astro'),
): string {
	return given ? resolve(root, given) : join(astroCacheDir, STORE_FOLDER);
}
