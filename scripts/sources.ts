// The source files of the repository, and how large they are. Run by itself, it prints the sizes.
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const CODE = '**/*.{ts,mjs,js,astro,css}';
const SOURCES = `packages/*/{src,components,bin}/${CODE}`;

/** The size that all packages should have at most. It is a report: whoever passes it, says why. */
const AIM = { lines: 27_500, files: 212 } as const;

/** Sources of the packages, and other code that may import each other, with their texts, by path in the repository. */
export function readCode(): ReadonlyMap<string, string> {
	const paths = globSync([SOURCES, `{playground,bench,scripts}/${CODE}`], {
		cwd: ROOT,
		exclude: (path) => /(?:^|\/)(?:node_modules|dist|test|\.[^/]+)$/.test(path),
	});
	return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(ROOT, path), 'utf8')]));
}

/** The package that a file is a source of; `undefined` for everything else. */
function packageOf(path: string): string | undefined {
	return /^packages\/([^/]+)\//.exec(path)?.[1];
}

/** Returns a function that lists the files that a file imports by relative names, those of types and re-exports included. */
export function createImports(code: ReadonlyMap<string, string>): (path: string) => readonly string[] {
	const known = new Map<string, readonly string[]>();
	const find = (path: string) => {
		const names = [...(code.get(path) ?? '').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g)];
		return names.flatMap(([, name = '']) => {
			const file = posix.join(posix.dirname(path), name);
			return [file, file.replace(/\.js$/, '.ts')].find((candidate) => code.has(candidate)) ?? [];
		});
	};
	return (path) => {
		const imports = known.get(path) ?? find(path);
		known.set(path, imports);
		return imports;
	};
}

function countLines(text: string): number {
	return text.split('\n').length - 1;
}

/** Lines and files of each package, and of all of them. */
function measure(code: ReadonlyMap<string, string>): Map<string, { lines: number; files: number }> {
	const sizes = new Map([['all packages', { lines: 0, files: 0 }]]);
	for (const [path, text] of code) {
		const name = packageOf(path);
		for (const key of name ? [name, 'all packages'] : []) {
			const { lines, files } = sizes.get(key) ?? { lines: 0, files: 0 };
			sizes.set(key, { lines: lines + countLines(text), files: files + 1 });
		}
	}
	return sizes;
}

if (import.meta.main) {
	for (const [name, { lines, files }] of measure(readCode()))
		console.log(`${name}: ${lines.toLocaleString('en')} lines of source in ${files} files`);
	console.log(`aim: ${AIM.lines.toLocaleString('en')} lines of source in ${AIM.files} files`);
}
