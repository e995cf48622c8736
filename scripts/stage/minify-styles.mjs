import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

/**
 * Removes comments and white space from a package's stylesheets. Nothing else changes: the stores that minify their styles
 * choose their own browsers.
 * @param {string} folder of the package
 */
export function minifyStyles(folder) {
	for (const path of globSync('components/**/*.css', { cwd: folder })) {
		const file = join(folder, path);
		const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'css', minifyWhitespace: true });
		writeFileSync(file, code);
	}
}
