import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { generationOf, PageHtml } from '../../../src/pages/page-html.js';

const STARS = { html: '<p>4.5 ★\n𝕊</p>', facts: [], version: 'v1', digest: 'd1' };
const LIST = { html: '<ol>"\\u0041"</ol>', facts: [], version: 'v1', digest: 'd2' };

function written(): string {
	const html = new PageHtml(undefined, 'one');
	html.add('p 1', 'stars', STARS);
	html.add('p-2', 'list', LIST);
	return html.toText('one');
}

test('a build finds what the last one wrote, letter by letter, and has nothing to keep', () => {
	const html = new PageHtml(written(), 'one');
	expect(html.find('p 1', 'stars', 'v1')).toEqual(STARS);
	expect(html.find('p-2', 'list', 'v1')).toEqual(LIST);
	expect(html.hasNews).toBe(false);
	const other = new PageHtml(written(), 'one');
	other.find('p-2', 'list', 'v1');
	expect(other.hasNews, 'what is shown no longer is kept no longer').toBe(true);
});

test.each<[string, string, Parameters<PageHtml['find']>]>([
	['the data is another', 'one', ['p-2', 'list', 'v2']],
	['the data may still change', 'one', ['p-2', 'list', undefined]],
	['it is asked for in another way', 'one', ['p-2', 'stars', 'v1']],
	['it is of another product', 'one', ['p-1', 'list', 'v1']],
	['the code, the settings or Node are others', 'two', ['p-2', 'list', 'v1']],
])('it is written again if %s', (_why, generation, asked) => {
	expect(new PageHtml(written(), generation).find(...asked)).toBeUndefined();
});

test('what a page no longer shows is kept no longer', () => {
	const html = new PageHtml(written(), 'one');
	html.find('p-2', 'list', 'v1');
	html.add('p 1', 'stars', { ...STARS, version: 'v2' });
	const next = new PageHtml(html.toText('one'), 'one');
	expect(next.find('p-2', 'list', 'v1')).toEqual(LIST);
	expect(next.find('p 1', 'stars', 'v1')).toBeUndefined();
});

test('whoever changes the code, even in place, or the settings makes another generation', () => {
	const folder = createFolder();
	cpSync(join(import.meta.dirname, '../../../src/render'), folder, { recursive: true });
	const before = generationOf({ labels: {} }, folder);
	expect(generationOf({ labels: {} }, folder)).toBe(before);
	expect(generationOf({ labels: { heading: 'Said' } }, folder)).not.toBe(before);
	writeFileSync(join(folder, 'html.ts'), '// other');
	expect(generationOf({ labels: {} }, folder)).not.toBe(before);
	// Of the package itself.
	expect(generationOf({ labels: {} })).toBe(generationOf({ labels: {} }));
});
