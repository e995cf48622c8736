// The source files of the repository, and how large they are. Run by itself, it prints the sizes.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const CODE = /\.(?:ts|mjs|js|astro|css)$/;
const SOURCE = /^packages\/([^/]+)\/(?:src|components|bin)\//;
const TEST = /(?:^|\/)test\//;

/** At most so much source of all packages, and of all tests. */
export const LIMITS = { source: { lines: 28_000, files: 280 }, tests: { lines: 26_000 } } as const;

export interface Sizes {
	readonly lines: number;
	readonly files: number;
}

/** All files of code with their texts, by their path in the repository: those of git, and new ones that it does not ignore. */
export function readCode(): ReadonlyMap<string, string> {
	const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const paths = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0');
	const code = paths.filter((path) => CODE.test(path) && existsSync(join(ROOT, path)));
	return new Map(code.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** The package that a file is a source of; `undefined` for a test and everything else. */
export function packageOf(path: string): string | undefined {
	return SOURCE.exec(path)?.[1];
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

export function countLines(text: string): number {
	return text.split('\n').length - 1;
}

/** Sizes of each package, of all of them, and of the tests. */
export function measure(code: ReadonlyMap<string, string>): Readonly<Record<string, Sizes>> {
	const sizes: Record<string, { lines: number; files: number }> = {};
	for (const [path, text] of code) {
		const name = packageOf(path);
		for (const key of name ? [name, 'source'] : TEST.test(path) ? ['tests'] : []) {
			sizes[key] ??= { lines: 0, files: 0 };
			sizes[key].lines += countLines(text);
			sizes[key].files += 1;
		}
	}
	return sizes;
}

if (import.meta.main) {
	for (const [name, { lines, files }] of Object.entries(measure(readCode())).sort())
		console.log(`${name}: ${lines.toLocaleString('en')} lines in ${files} files`);
}
