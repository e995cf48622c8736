import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rewriteLinks } from '../../scripts/stage.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A block of code in Markdown, and the file of the repository that a comment before it names. */
const BLOCK = /(?:<!-- (?<file>[^\n]+?) -->\n)?^(?<fence>`{3,})[^\n]*\n(?<code>.*?)^\k<fence>$/gms;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('code in the documentation that is a file of the repository, which other tests run, is that file', () => {
	const pages = globSync('docs/src/content/docs/**/*.{md,mdx}', { cwd: ROOT });
	const blocks = pages.flatMap((page) =>
		[...read(page).matchAll(BLOCK)].map(({ groups }) => ({
			page,
			file: groups?.['file'],
			code: groups?.['code'],
		})),
	);
	const files = blocks.filter(({ file }) => file);
	expect(files.length).toBeGreaterThan(30);
	for (const { page, file = '', code } of files) expect(code, `${file} in ${page}`).toBe(read(file));
	// These pages show stores whole.
	const whole = ['guides/product-list.md', 'guides/cards.md'];
	expect(blocks.filter(({ page, file }) => !file && whole.some((name) => page.endsWith(name)))).toEqual([]);
});

test.each(globSync(['*.md', 'packages/*/{README,AGENTS}.md', 'examples/*/README.md'], { cwd: ROOT }))(
	'every relative link of %s leads to a file',
	(document) => {
		const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)|^\[\d+\]: (?!https?:)(\S+)$/gm)].map(
			([, inline, reference]) => inline ?? reference ?? '',
		);
		expect(links.filter((link) => !existsSync(join(ROOT, dirname(document), link)))).toEqual([]);
	},
);

test('components and variables that AGENTS.md names for coding agents are there', () => {
	const text = read('packages/integration/AGENTS.md');
	const components = new Set([...text.matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name));
	const variables = new Set(text.match(/\bREVIEWS_\w+/g));
	expect([components.size > 3, variables.size > 2]).toEqual([true, true]);
	const exported = read('packages/integration/components/index.js');
	for (const name of components) expect(exported).toContain(`default as ${name} `);
	const sources = globSync('packages/integration/src/**/*.ts', { cwd: ROOT }).map(read).join('\n');
	for (const name of variables) expect(sources).toContain(`'${name}'`);
});

test('links of a README lead to the site and the repository where npm shows it, or nowhere until there are any', () => {
	const links =
		'[Start](../../docs/src/content/docs/start/why.mdx#cost) [client](../client) ![Stars](a.png) [npm](https://npmjs.com) [below](#below)';
	const rest = '[npm](https://npmjs.com) [below](#below)';
	const rewrite = (addresses: Parameters<typeof rewriteLinks>[2]) =>
		rewriteLinks(links, 'packages/x', addresses);
	expect(rewrite({})).toBe(`Start client  ${rest}`);
	expect(rewrite({ site: 'https://docs.example', repository: 'https://code.example/x' })).toBe(
		`[Start](https://docs.example/start/why/#cost) [client](https://code.example/x/blob/HEAD/packages/client) ![Stars](https://code.example/x/raw/HEAD/packages/x/a.png) ${rest}`,
	);
});
