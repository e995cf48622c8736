import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** The integration and its commands are in every store, so they are small: bundled and minified. The others are as compiled. */
const BUNDLED = new Set(['astro-product-reviews']);

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Addresses of the documentation and the repository. Nobody can follow a link to them before they are set here, at release. */
const { release: RELEASE } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** What TypeScript writes for a module that holds nothing but types. */
const EMPTY_MODULE = /^export \{\};\s*$/;

/**
 * Copies a package as it is published: with declarations of its entry points only, without modules that are empty, and without
 * what an earlier build left behind.
 * @param {string} from folder of the package, built
 * @param {string} to an empty folder
 */
export async function stagePackage(from, to) {
	const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
	for (const path of ['package.json', ...manifest.files.filter((file) => !file.startsWith('!'))]) {
		cpSync(join(from, path), join(to, path), { recursive: true });
	}
	writeAddresses(to, manifest, relative(ROOT, from).split(sep).join('/'));
	removeLeftovers(from, to);
	await bundleDeclarations(from, to, manifest);
	if (!BUNDLED.has(manifest.name)) return;
	bundleModules(to, manifest);
	minifyStyles(to);
}

function writeAddresses(to, manifest, directory) {
	const { site, repository } = RELEASE;
	const homepage = site && { homepage: site };
	const source = repository && { repository: { type: 'git', url: `git+${repository}.git`, directory } };
	const text = JSON.stringify({ ...manifest, ...homepage, ...source }, undefined, '\t');
	writeFileSync(join(to, 'package.json'), `${text}\n`);
	const readme = readFileSync(join(to, 'README.md'), 'utf8');
	writeFileSync(join(to, 'README.md'), rewriteLinks(readme, directory, RELEASE));
}

/**
 * Points the links of a README into the repository, which a package does not contain, to the site and the repository; without
 * their addresses, only the texts remain.
 * @param {string} markdown
 * @param {string} directory of the package, from the root
 * @param {{ site?: string | null, repository?: string | null }} addresses
 */
export function rewriteLinks(markdown, directory, { site, repository }) {
	return markdown.replace(/(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g, (_link, image, text, target) => {
		const path = posix.join(directory, target);
		const page = /^docs\/src\/content\/docs\/(.+?)\.mdx?(#.*)?$/.exec(path);
		if (page && site) return `[${text}](${site}/${page[1]}/${page[2] ?? ''})`;
		if (repository) return `${image}[${text}](${repository}/${image ? 'raw' : 'blob'}/HEAD/${path})`;
		return image ? '' : text;
	});
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

/**
 * Bundles the declarations of a package: one file for each entry point, and chunks for what they share. What no entry point
 * leads to is not in them.
 * @param {string} from folder of the package, built
 * @param {string} to folder of the staged package, whose declarations are replaced
 * @param {{ exports: object }} manifest
 */
async function bundleDeclarations(from, to, { exports }) {
	const dist = join(to, 'dist');
	const entries = Object.values(exports).flatMap(({ types }) =>
		types?.startsWith('./dist/') ? [types] : [],
	);
	const input = entries.map((path) => [path.slice('./dist/'.length, -'.d.ts'.length), join(from, path)]);
	const bundle = await rollup({
		input: Object.fromEntries(input),
		plugins: [dts()],
		external: (name) => !/^[./]/.test(name),
		// Some types that entry points share have no name for users: they are parts of types that have.
		onwarn: () => {},
	});
	const { output } = await bundle.generate({
		entryFileNames: '[name].d.ts',
		chunkFileNames: 'chunks/[name].ts',
	});
	for (const path of globSync('**/*.d.ts', { cwd: dist })) rmSync(join(dist, path));
	for (const { fileName, code } of output) write(join(dist, fileName), code);
}

function write(path, text) {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

/** Modules and files that code finds by its own address. */
const BESIDE = /new URL\("(\.[^"]+)",\s*import\.meta\.url\)/g;

/** What is started as a file of its own: a thread, beside the code that starts it, and the command, which `bin` starts. */
const STARTED = {
	'chunks/service-thread': 'dist/hosted/service-thread.js',
	'cli/command-line': 'dist/cli/command-line.js',
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
function bundleModules(folder, { exports, bin = {} }) {
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
		return { path, code: `${isEntry ? `import "./${FIRST.out}.js";` : ''}${text}` };
	});
	for (const { path, code } of files) write(path, code);
	for (const { path, code } of files) assertFound(path, code);
}

/** @throws Error if code would look for a file where bundling did not leave it. */
function assertFound(path, text) {
	for (const [, address] of text.matchAll(BESIDE)) {
		if (!existsSync(resolve(dirname(path), address)))
			throw new Error(`${path} looks for ${address}, which is not there.`);
	}
}

/**
 * Removes comments and white space from a package's stylesheets. Nothing else changes: the stores that minify their styles
 * choose their own browsers.
 * @param {string} folder of the package
 */
function minifyStyles(folder) {
	for (const path of globSync('components/**/*.css', { cwd: folder })) {
		const file = join(folder, path);
		const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'css', minifyWhitespace: true });
		writeFileSync(file, code);
	}
}
