import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a folder for files that belong to one machine, and keeps it out of the repository that it may be in: a folder
 * that is made here has a `.gitignore` of its own. One that is there already stays as it is.
 * @throws Error where the folder cannot be made.
 * @example makeFolder('/shop/.cache/product-reviews')
 */
export function makeFolder(folder: string): void {
	const first = mkdirSync(folder, { recursive: true });
	// What packages keep in node_modules is in no repository.
	if (first === undefined || /[\\/]node_modules[\\/]/.test(folder)) return;
	try {
		writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
	} catch {
		// A folder that nothing can be written into shows that with the file for which it was made.
	}
}
