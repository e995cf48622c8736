import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a folder for files of one machine. A new folder gets its own `.gitignore`, which keeps it out of any repository
 * around it. An existing folder is left as it is.
 * @throws Error if the folder cannot be made.
 * @example makeFolder('/shop/.cache/product-reviews')
 */
export function makeFolder(folder: string): void {
	const first = mkdirSync(folder, { recursive: true });
	// node_modules is never in a repository.
	if (first === undefined || /[\\/]node_modules[\\/]/.test(folder)) return;
	try {
		writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
	} catch {
		// If the folder cannot be written, writing the actual file will say so.
	}
}
