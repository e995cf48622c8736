import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PUBLIC_FUNCTIONS } from '../../../packages/integration/src/astro/vite-plugins.js';
import { ERROR_CATALOG } from '../../../packages/integration/src/cli/catalog.js';
import { COMMANDS } from '../../../packages/integration/src/cli/commands.js';
import { labelsSchema } from '../../../packages/integration/src/options/labels.js';
import { optionsSchema } from '../../../packages/integration/src/options/schema.js';
import { createReferencePages } from '../../reference/reference-pages.ts';

const PACKAGE = fileURLToPath(new URL('../../../packages/integration/', import.meta.url));
const read = (path: string) => readFileSync(PACKAGE + path, 'utf8');

const pages = createReferencePages();
const pageOf = (name: string) => pages[`reference/${name}`] ?? '';
/** What a pattern finds in a page. */
const namesIn = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, name]) => name);

/** The part of a page below a heading, up to the next one of any level, or of this level. */
function sectionOf(page: string, heading: string, end: RegExp | string = /\n##+ /): string {
	const [, section = ''] = pageOf(page).split(`\n${heading}\n`);
	return section.split(end)[0]?.trim() ?? '';
}

describe('options', () => {
	test('are those of the schema, with their type, default, text and example', () => {
		const names = namesIn(pageOf('options'), /^### `(\w+)`$/gm);
		expect(names.toSorted()).toEqual(Object.keys(optionsSchema.shape).toSorted());
		for (const name of names.filter((name) => name !== 'labels'))
			expect(sectionOf('options', `### \`${name}\``), name).toContain(`\nproductReviews({ ${name}: `);
		expect(sectionOf('options', '### `retries`')).toMatch(
			/^- \*\*Type:\*\* `number`\n- \*\*Default:\*\* `4`\n\nMaximum number of retries /,
		);
		expect(sectionOf('options', '#### `onDemand.maxAge`')).toContain("- **Default:** `'60s'`");
		expect(sectionOf('options', '#### `webhook.path`')).toContain('({ webhook: { path: ');
	});

	test.each([
		...(['concurrency', 'retries', 'onError', 'display', 'authorNames', 'audit'] as const),
		...(['maxResponseBytes', 'allowHttp', 'sendTokenForReviews'] as const),
	])('%s has the default of the schema', (name) => {
		const value = optionsSchema.parse({})[name];
		const written = typeof value === 'string' ? `'${value}'` : String(value);
		expect(sectionOf('options', `### \`${name}\``)).toContain(`- **Default:** \`${written}\``);
	});
});

test('components are those of the package, with all props', () => {
	const names = namesIn(read('components/index.d.ts'), /as (\w+)/g).map((name) => `<${name}>`);
	expect(namesIn(pageOf('components'), /^## `(.+)`$/gm)).toEqual(names);
	const list = sectionOf('components', '## `<ReviewList>`', '\n## ');
	for (const prop of 'pid heading lang labels filter sort limit perPage starFilter'.split(' '))
		expect(list).toContain(`### \`${prop}\`\n\n- **Type:** `);
	const [, sort] = list.split('### `sort`');
	for (const order of ['as-sent', 'newest', 'highest', 'lowest', 'helpful'])
		expect(sort).toContain(`'${order}'`);
});

test('labels are those of the schema', () => {
	expect(namesIn(pageOf('labels'), /^\| `(\w+)` \|/gm)).toEqual(Object.keys(labelsSchema.shape));
});

test('functions have their signature and their text, and their objects the fields', () => {
	for (const name of PUBLIC_FUNCTIONS) {
		const section = sectionOf('functions', `### \`${name}\``);
		expect(section).toMatch(new RegExp(`function ${name}(?:<.*>)?\\(pid`));
		expect(section.split('```').at(2)?.trim()).not.toBe('');
	}
	expect(sectionOf('functions', '### `Review`')).toContain('| `verified` | `boolean` |');
});

test('every environment variable in the source is there', () => {
	const sources = globSync('src/**/*.ts', { cwd: PACKAGE }).map(read).join('\n');
	const names = new Set(sources.match(/\bREVIEWS_(?:[A-Z]+_)*[A-Z]+\b/g));
	// A constant of the source, not a variable.
	names.delete('REVIEWS_TAG');
	expect(names.size).toBeGreaterThan(6);
	for (const name of names) expect(pageOf('environment')).toContain(`| \`${name}\` |`);
});

test('commands have a heading and an example each, and all their options', () => {
	expect(namesIn(pageOf('commands'), /^### `(.+)`$/gm)).toEqual(COMMANDS.map(({ name }) => name));
	for (const { name, options } of COMMANDS) {
		const section = sectionOf('commands', `### \`${name}\``);
		expect(section).toContain(`npx astro-product-reviews ${name}`);
		for (const option of options) expect(section).toContain(`| \`--${option}`);
	}
	for (const option of ['--immediate', '--product-url']) expect(pageOf('commands')).toContain(option);
});

test('errors have a heading each', () => {
	expect(namesIn(pages['errors'] ?? '', /^## (\w+)$/gm)).toEqual(Object.keys(ERROR_CATALOG));
});
