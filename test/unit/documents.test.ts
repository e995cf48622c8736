import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rewriteLinks } from '../../scripts/pack.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A block of code in Markdown or MDX, and the file of the repository that a comment before it names: all or part of it. */
const BLOCK =
	/(?:(?:<!--|\{\/\*) (?<part>part of )?(?<file>[^\n]+?) (?:-->|\*\/\})\n)?^(?<fence>`{3,})(?<language>\w*)[^\n]*\n(?<code>.*?)^\k<fence>$/gms;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('code in the documentation that is a file of the repository, which other tests run, is that file', () => {
	const pages = globSync('docs/src/content/docs/**/*.{md,mdx}', { cwd: ROOT });
	const blocks = pages.flatMap((page) =>
		[...read(page).matchAll(BLOCK)].map(({ groups = {} }) => ({ page, ...groups }) as Block),
	);
	const named = blocks.filter(({ file }) => file);
	expect(named.length).toBeGreaterThan(30);
	for (const { page, part, file = '', code } of named) {
		if (part) expect(read(file), `${file} in ${page}`).toContain(code);
		else expect(code, `${file} in ${page}`).toBe(read(file));
	}
	// The code of these pages is that of stores which are built.
	const whole = /\/catalog\/(?!ids|_environment)|\/cards\.mdx?$/;
	const unnamed = ({ page, file, language }: Block) =>
		!file && /^(?:js|ts|astro|json|md)$/.test(language) && whole.test(page);
	expect(blocks.filter(unnamed)).toEqual([]);
});

interface Block {
	readonly page: string;
	readonly part?: string;
	readonly file?: string;
	readonly language: string;
	readonly code: string;
}

test.each([
	['class', /\bpr-[a-z]+(?:-[a-z]+)*/g],
	['custom property', /--product-reviews(?:-[a-z]+)+/g],
])('the page of CSS has every %s of the components, and no other', (_, pattern) => {
	const sources = globSync('packages/integration/{src/render/*.ts,components/*.{astro,css}}', { cwd: ROOT });
	const namesIn = (text: string) => [...new Set(text.match(pattern))].sort();
	const names = namesIn(sources.map(read).join('\n'));
	expect(names.length).toBeGreaterThan(10);
	expect(namesIn(read('docs/src/content/docs/reference/css.md'))).toEqual(names);
});

const PAGES = 'docs/src/content/docs/**/*.{md,mdx}';
/** Pages that the site makes of the code. */
const GENERATED = new Set(read('.gitignore').match(/^docs\/src\/.+$/gm));

test.each(
	globSync(['*.md', 'packages/*/{README,AGENTS}.md', 'examples/*/README.md', PAGES], { cwd: ROOT }).filter(
		(document) => !GENERATED.has(document),
	),
)('every link of %s leads to a file, and to a page of the documentation by its file', (document) => {
	const text = read(document).replace(BLOCK, '');
	const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)|^\[[\w-]+\]: (?!https?:)([^\s#]+)\S*$/gm)].map(
		([, inline, reference]) => inline ?? reference ?? '',
	);
	const paths = links.filter((link) => link !== '/example/').map((link) => join(dirname(document), link));
	expect(paths.filter((path) => !GENERATED.has(path) && !existsSync(join(ROOT, path)))).toEqual([]);
});

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
