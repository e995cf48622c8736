import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { minify_sync } from 'terser';

/** Modules and files that code finds by its own address. */
const BESIDE = /new URL\("(\.[^"]+)",\s*import\.meta\.url\)/g;

/** What is started as a file of its own: a thread, beside the code that starts it, and the command, which `bin` starts. */
const STARTED = {
	'chunks/service-thread': 'dist/service/service-thread.js',
	'cli/commands/run-command-line': 'dist/cli/commands/run-command-line.js',
};

/**
 * Runs before all other modules of an entry point. Bundling does not keep the order of modules, so it is a file of its own,
 * which the entry point imports first.
 */
const FIRST = { entry: 'index.js', out: 'chunks/check-environment', path: 'dist/astro/check-environment.js' };

/** What runs in a browser, in one file of its own. */
const BROWSER = { 'toolbar/browser/app': 'dist/toolbar/browser/app.js' };

/** How everything is bundled. */
const COMMON = {
	bundle: true,
	packages: 'external',
	minifySyntax: true,
	minifyWhitespace: true,
	minifyIdentifiers: true,
	// Without it, labels in Arabic and Japanese are written as escapes, which are twice as long.
	charset: 'utf8',
	format: 'esm',
	write: false,
	logLevel: 'warning',
};

/**
 * Bundles the modules of a package: one file for each entry point, and chunks for what they share. What is loaded when it is
 * needed stays in files of its own.
 * @param {string} folder of the package, whose `dist` is replaced
 * @param {{ exports: object, bin?: object }} manifest
 */
export function bundleModules(folder, { exports, bin = {} }) {
	const paths = [...Object.values(exports).map((entry) => entry.default), ...Object.values(bin)];
	const dist = join(folder, 'dist');
	const entries = paths
		.filter((path) => path?.startsWith('./dist/'))
		.flatMap((path) => globSync(path.slice('./dist/'.length), { cwd: dist }));
	const inFolder = (files) =>
		Object.entries(files)
			.map(([out, path]) => [out, join(folder, path)])
			.filter(([, path]) => existsSync(path));
	const first = inFolder({ [FIRST.out]: FIRST.path });
	const forNode = buildSync({
		...COMMON,
		entryPoints: Object.fromEntries([
			...entries.map((path) => [path.replace(/\.js$/, ''), join(dist, path)]),
			...inFolder(STARTED),
			...first,
		]),
		outdir: dist,
		chunkNames: 'chunks/[hash]',
		splitting: true,
		external: ['virtual:*'],
		platform: 'node',
		target: 'node22',
	});
	const forBrowsers = buildSync({
		...COMMON,
		entryPoints: Object.fromEntries(inFolder(BROWSER)),
		outdir: dist,
		platform: 'browser',
		target: 'es2024',
	});
	const outputFiles = [...forNode.outputFiles, ...forBrowsers.outputFiles];
	for (const path of globSync('dist/**/*.{js,json}', { cwd: folder })) rmSync(join(folder, path));
	const files = outputFiles.map(({ path, text }) => {
		const isEntry = first.length > 0 && path === join(dist, FIRST.entry);
		return { path, code: `${isEntry ? `import "./${FIRST.out}.js";` : ''}${minify(text)}` };
	});
	for (const { path, code } of files) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, code);
	}
	for (const { path, code } of files) assertFound(path, code);
}

/** Takes another 2 % off what esbuild has minified. Comments for those who bundle it again stay. */
function minify(text) {
	return minify_sync(text, {
		module: true,
		ecma: 2020,
		compress: { passes: 2 },
		format: { comments: /@vite-ignore/, preserve_annotations: true },
	}).code;
}

/** @throws Error if code would look for a file where bundling did not leave it. */
function assertFound(path, text) {
	for (const [, address] of text.matchAll(BESIDE)) {
		if (!existsSync(resolve(dirname(path), address)))
			throw new Error(`${path} looks for ${address}, which is not there.`);
	}
}
