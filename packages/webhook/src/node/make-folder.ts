import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Creates a folder for machine-specific files and keeps it out of version control: a folder created here gets its own
 * `.gitignore`. An existing folder is left unchanged.
 * @throws Error if the folder cannot be created.
 * @example makeFolder('.product-reviews')
 */
export function makeFolder(folder: string): void {
	const first = mkdirSync(folder, { recursive: true });
	// node_modules is not under version control.
	if (first === undefined || /[\\/]node_modules[\\/]/.test(folder)) return;
	try {
		writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
	} catch {
		// If the folder is not writable, creating the actual file will fail and report it.
	}
}
