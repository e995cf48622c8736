import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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
	const whole = /\/catalogue\/(?!ids|_environment)|\/cards\.mdx?$/;
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
