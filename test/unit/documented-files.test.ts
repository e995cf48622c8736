import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A block of code, and the comment before it, which names a file from the root of the repository. */
const BLOCK = /(?:<!-- (?<path>[^\n]+?) -->\n)?```(?<language>\w+)\n(?<code>.*?)```/gs;

/** Documentation, and the stores whose configuration it has to show. */
const DOCUMENTS = [
	['docs/products.md', 'packages/integration/test/build/fixtures/product-sources', 5],
	['docs/cards.md', 'test/stores/cards', 0],
] as const;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const blocksOf = (document: string) =>
	[...read(document).matchAll(BLOCK)].map(({ groups }) => ({ path: groups?.path, code: groups?.code }));

test.each(DOCUMENTS)('the code in %s is that of the files that are built', (document, folder) => {
	const blocks = blocksOf(document);
	expect(blocks.length).toBeGreaterThan(5);
	for (const { path, code } of blocks) {
		expect(path?.startsWith(`${folder}/`), `${document}: a block of no file of ${folder}:\n${code}`).toBe(
			true,
		);
		expect(code, `${document} shows another ${path}`).toBe(read(path ?? ''));
	}
});

test.each(DOCUMENTS)('%s shows every file that a reader needs', (document, folder, configurations) => {
	const shown = blocksOf(document).map(({ path }) => path);
	expect(shown.filter((path) => path?.endsWith('/astro.config.mjs'))).toHaveLength(configurations);
	const components = globSync(`${folder}/**/src/**/*.{jsx,vue,svelte,ts}`, { cwd: ROOT });
	expect(components.length).toBeGreaterThan(4);
	const isShown = (path: string) => shown.some((other) => other === path || same(other, path));
	expect(components.filter((path) => !isShown(path) && !path.endsWith('cards/src/products.ts'))).toEqual([]);
});

/** Two files of the same content need not be shown twice. */
function same(shown: string | undefined, path: string): boolean {
	return shown !== undefined && read(shown) === read(path);
}
