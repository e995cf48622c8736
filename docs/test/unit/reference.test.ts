import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ERROR_CATALOGUE } from '../../../packages/integration/src/errors/catalogue.js';
import { errorPage } from '../../../packages/integration/src/errors/reference.js';
import { labelsSchema } from '../../../packages/integration/src/labels/labels.js';
import { optionsSchema } from '../../../packages/integration/src/options/schema.js';
import { PUBLIC_FUNCTIONS } from '../../../packages/integration/src/runtime/functions.js';
import { createReferencePages } from '../../reference/reference-pages.ts';

const PACKAGE = fileURLToPath(new URL('../../../packages/integration/', import.meta.url));
const read = (path: string) => readFileSync(PACKAGE + path, 'utf8');

const pages = createReferencePages();
const pageOf = (name: string) => pages[`reference/${name}`] ?? '';

/** The part of a page below a heading. */
function sectionOf(page: string, heading: string): string {
	const [, section = ''] = pageOf(page).split(`\n${heading}\n`);
	return section.split(/\n##+ /)[0]?.trim() ?? '';
}

describe('options', () => {
	test('have their text, type, default and example', () => {
		expect(sectionOf('options', '## `retries`')).toBe(
			'How often a failed request is retried.\n\n- **Type:** `number`\n- **Default:** `4`',
		);
		expect(sectionOf('options', '## `baseUrl`')).toContain("- **Example:** `'https://reviews.example'`");
		expect(sectionOf('options', '## `maxAge`')).toContain("`'7d'` if `revalidate` is `'ratings'`");
		expect(sectionOf('options', '### `onDemand.fresh`')).toContain("- **Default:** `'60s'`");
		expect(sectionOf('options', '### `webhook.path`')).toContain("- **Default:** `'/api/reviews/webhook'`");
	});

	test('are those of the schema', () => {
		const names = [...pageOf('options').matchAll(/^## `(\w+)`$/gm)].map(([, name]) => name);
		expect(names.toSorted()).toEqual(Object.keys(optionsSchema.shape).toSorted());
	});

	test.each([
		'concurrency',
		'retries',
		'onError',
		'display',
		'author',
		'audit',
		'maxResponseBytes',
		'allowHttp',
		'authorizeCrawlerHtml',
	] as const)('%s has the default of the schema', (name) => {
		const value = optionsSchema.parse({})[name];
		const written = typeof value === 'string' ? `'${value}'` : String(value);
		expect(sectionOf('options', `## \`${name}\``)).toContain(`- **Default:** \`${written}\``);
	});
});

test('components are those of the package, with all props', () => {
	const names = [...read('components/index.d.ts').matchAll(/as (\w+)/g)].map(([, name]) => `<${name}>`);
	const headings = [...pageOf('components').matchAll(/^## `(.+)`$/gm)].map(([, name]) => name);
	expect(headings).toEqual(names);
	const list = sectionOf('components', '## `<ReviewList>`');
	for (const prop of [
		'pid',
		'heading',
		'lang',
		'labels',
		'filter',
		'sort',
		'limit',
		'perPage',
		'starFilter',
	]) {
		expect(list).toContain(`| \`${prop}\``);
	}
	expect(list).toContain(
		'Number of reviews shown at first, and with each "more".<br>Type: `number`<br>Default: `20`',
	);
	const sort = list.split('\n').find((line) => line.startsWith('| `sort`'));
	for (const order of ['as-sent', 'newest', 'highest', 'lowest', 'helpful'])
		expect(sort).toContain(`'${order}'`);
});

test('labels are those of the schema', () => {
	const names = [...pageOf('labels').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
	expect(names).toEqual(Object.keys(labelsSchema.shape));
});

describe('functions', () => {
	test.each(PUBLIC_FUNCTIONS)('%s has its signature and its text', (name) => {
		const section = sectionOf('functions', `### \`${name}\``);
		expect(section).toContain(`function ${name}(pid`);
		expect(section.split('```').at(2)?.trim()).not.toBe('');
	});

	test('every module that a user imports is there', () => {
		const internal = [
			'components',
			'runtime',
			'live',
			'live-middleware',
			'shared-storage',
			'internal/*',
			'webhook-endpoint',
			'package.json',
		];
		const { exports } = JSON.parse(read('package.json'));
		for (const path of Object.keys(exports).map((key) => key.replace(/^\.\/?/, ''))) {
			if (internal.includes(path)) continue;
			const module = ['astro-product-reviews', path].filter(Boolean).join('/');
			expect(pageOf('functions')).toContain(`\n## \`${module}\`\n`);
		}
	});

	test('objects have their fields', () => {
		const section = sectionOf('functions', '### `FullReview`');
		expect(section).toContain('| `verified` | `boolean` | Whether the author bought the product. |');
	});
});

test('every environment variable in the source is there', () => {
	const sources = globSync('src/**/*.ts', { cwd: PACKAGE }).map(read).join('\n');
	const variables = [...sources.matchAll(/\b(?:REVIEWS_(?:[A-Z]+_)*[A-Z]+|INDEX_NOW_ENDPOINT)\b/g)];
	// A constant of the source, not a variable.
	const names = new Set(variables.map(([name]) => name).filter((name) => name !== 'REVIEWS_TAG'));
	expect(names.size).toBeGreaterThan(6);
	for (const name of names) expect(pageOf('environment')).toContain(`| \`${name}\` |`);
});

test('commands have the text of their help', () => {
	for (const option of ['--index-now', '--at-once', '--product-url']) {
		expect(pageOf('commands')).toContain(option);
	}
});

test('errors have a heading each, which is the address that messages name', () => {
	const codes = Object.keys(ERROR_CATALOGUE) as (keyof typeof ERROR_CATALOGUE)[];
	const headings = [...(pages['errors'] ?? '').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
	expect(headings).toEqual(codes);
	expect(errorPage('PR_USAGE')).toMatch(/\/errors\/#pr_usage$/);
});
