import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

/** Modules and files that code finds by its own address. */
const BESIDE = /new URL\("(\.[^"]+)",\s*import\.meta\.url\)/g;

/** Threads start as files of their own, beside the code that starts them. */
const THREADS = { 'chunks/service-thread': 'dist/service/service-thread.js' };

/**
 * Bundles the modules of a package: one file for each entry point, and chunks for what they share. What is loaded when it is
 * needed stays in files of its own.
 * @param {string} folder of the package, whose `dist` is replaced
 * @param {{ exports: object, bin?: object }} manifest
 */
export function bundleModules(folder, { exports, bin = {} }) {
	const paths = [...Object.values(exports).map((entry) => entry.default), ...Object.values(bin)];
	const entries = paths
		.filter((path) => path?.startsWith('./dist/'))
		.map((path) => path.slice('./dist/'.length));
	const dist = join(folder, 'dist');
	const { outputFiles } = buildSync({
		entryPoints: {
			...Object.fromEntries(entries.map((path) => [path.replace(/\.js$/, ''), join(dist, path)])),
			...Object.fromEntries(Object.entries(THREADS).map(([out, path]) => [out, join(folder, path)])),
		},
		outdir: dist,
		chunkNames: 'chunks/[name]-[hash]',
		bundle: true,
		splitting: true,
		packages: 'external',
		external: ['virtual:*'],
		minifySyntax: true,
		minifyWhitespace: true,
		minifyIdentifiers: true,
		format: 'esm',
		platform: 'node',
		target: 'node22',
		write: false,
		logLevel: 'warning',
	});
	for (const path of globSync('dist/**/*.js', { cwd: folder })) rmSync(join(folder, path));
	for (const { path, contents } of outputFiles) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, contents);
	}
	for (const { path, text } of outputFiles) assertFound(path, text);
}

/** @throws Error if code would look for a file where bundling did not leave it. */
function assertFound(path, text) {
	for (const [, address] of text.matchAll(BESIDE)) {
		if (!existsSync(resolve(dirname(path), address)))
			throw new Error(`${path} looks for ${address}, which is not there.`);
	}
}
