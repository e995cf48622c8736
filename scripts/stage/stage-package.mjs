import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundleModules } from './bundle-modules.mjs';
import { minifyStyles } from './minify-styles.mjs';
import { shakeDeclarations } from './shake-declarations.mjs';

/** The integration and its commands are in every store, so they are small: bundled and minified. The others are as compiled. */
const BUNDLED = new Set(['astro-product-reviews']);

/** What TypeScript writes for a module that holds nothing but types. */
const EMPTY_MODULE = /^export \{\};\s*$/;

/**
 * Copies a package as it is published: without declarations that no entry point leads to, without modules that are empty, and
 * without what an earlier build left behind.
 * @param {string} from folder of the package, built
 * @param {string} to an empty folder
 */
export function stagePackage(from, to) {
	const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
	for (const path of ['package.json', ...manifest.files.filter((file) => !file.startsWith('!'))]) {
		cpSync(join(from, path), join(to, path), { recursive: true });
	}
	removeLeftovers(from, to);
	const types = Object.values(manifest.exports).flatMap((entry) => entry.types ?? []);
	shakeDeclarations(to, [...types.map((path) => path.replace('./', '')), ...globSync('*.d.ts', { cwd: to })]);
	if (!BUNDLED.has(manifest.name)) return;
	bundleModules(to, manifest);
	minifyStyles(to);
}

/** Removes built files without a source file, and modules without content. */
function removeLeftovers(from, to) {
	for (const path of globSync('dist/**', { cwd: to })) {
		if (statSync(join(to, path)).isDirectory()) continue;
		const source = path.replace(/^dist/, 'src').replace(/(?:\.d\.ts|\.js)$/, '.ts');
		const isCurrent = /\.(?:ts|json)$/.test(source) && existsSync(join(from, source));
		const isEmpty = path.endsWith('.js') && EMPTY_MODULE.test(readFileSync(join(to, path), 'utf8'));
		if (!isCurrent || isEmpty) rmSync(join(to, path));
	}
}
