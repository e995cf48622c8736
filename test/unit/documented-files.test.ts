import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeBlocksIn } from 'product-reviews-test-support/code-blocks';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCS = 'docs/src/content/docs';

/** Pages that show stores whole, and the folder with the files of these stores. */
const STORES = [
	['guides/product-list.md', 'packages/integration/test/build/fixtures/product-sources', 5],
	['guides/cards.md', 'test/stores/cards', 0],
] as const;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pages = globSync(`${DOCS}/**/*.{md,mdx}`, { cwd: ROOT });
const readmes = globSync(['*.md', 'packages/*/README.md', 'examples/*/README.md'], { cwd: ROOT });

/** Blocks of code that are files of the repository, which other tests build or run. */
const files = pages.flatMap((page) =>
	codeBlocksIn(read(page)).flatMap(({ file, code }) => (file ? [{ page, file, code }] : [])),
);

test('pages show files of the repository', () => {
	expect(files.length).toBeGreaterThan(30);
});

test.each(files)('$page shows $file as it is', ({ file, code }) => {
	expect(code).toBe(read(file));
});

test.each(STORES)('all code in %s is that of the files that are built', (page, folder) => {
	const blocks = codeBlocksIn(read(`${DOCS}/${page}`));
	expect(blocks.length).toBeGreaterThan(5);
	for (const { file, code } of blocks) {
		expect(file?.startsWith(`${folder}/`), `a block of no file of ${folder}:\n${code}`).toBe(true);
	}
});

test.each(STORES)('%s shows every file that a reader needs', (page, folder, configurations) => {
	const shown = codeBlocksIn(read(`${DOCS}/${page}`)).map(({ file }) => file);
	expect(shown.filter((path) => path?.endsWith('/astro.config.mjs'))).toHaveLength(configurations);
	const components = globSync(`${folder}/**/src/**/*.{jsx,vue,svelte,ts}`, { cwd: ROOT });
	expect(components.length).toBeGreaterThan(4);
	const isShown = (path: string) => shown.some((other) => other === path || same(other, path));
	expect(components.filter((path) => !isShown(path) && !path.endsWith('cards/src/products.ts'))).toEqual([]);
});

test.each(readmes)('every relative link of %s leads to a file', (readme) => {
	const links = [...read(readme).matchAll(/\]\((?!https?:|#)([^)#]+)|^\[\d+\]: (\S+)$/gm)].map(
		([, inline, reference]) => inline ?? reference ?? '',
	);
	expect(links.filter((link) => !existsSync(join(ROOT, dirname(readme), link)))).toEqual([]);
});

test('the README is short enough to be read', () => {
	expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
});

/** Two files of the same content need not be shown twice. */
function same(shown: string | undefined, path: string): boolean {
	return shown !== undefined && read(shown) === read(path);
}
