import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { createBuildPages } from '../../../src/build/build-pages.js';
import { createPageRecorder } from '../../../src/pages/create-page-recorder.js';
import { createMarks } from '../../../src/pages/marks.js';
import type { StoredPage } from '../../../src/pages/stored-page.js';
import { createModelSite } from '../../support/unit/published-site.js';
import type { SitePiece } from '../../support/unit/site-model.js';
import { createStoreFile } from '../../support/unit/store.js';

const PAGES = new Map<string, readonly SitePiece[]>([
	['a', [{ kind: 'fragment', pid: 'p-1', variant: 0 }]],
	['b', [{ kind: 'changed', pid: 'p-1' }]],
	['c', [{ kind: 'own', pid: 'p-1' }]],
	['d', [{ kind: 'text', text: 'Hello' }]],
]);

test('once publish is on, pages of the cache are rendered again to note their fragments, and only once', async () => {
	const products = new Map([['p-1', 'old']]);
	const site = createModelSite({ pages: PAGES, products }, createFolder(), createStoreFile().open());
	expect(await site.build(true, false)).toBe(4);
	expect(await site.build(true, false)).toBe(0);
	expect(await site.build(true)).toBe(2);
	expect(await site.build(true)).toBe(0);
	products.set('p-1', 'newer');
	expect(await site.publish(['p-1'])).toMatchObject([
		{ page: '/shop/a', file: 'a/index.html' },
		{ page: '/shop/b', reason: expect.stringContaining('changes what components write') },
		{ page: '/shop/c', reason: expect.stringContaining('own markup') },
	]);
});

test('a page that the store knows only by name is left to a build', async () => {
	const store = createStoreFile();
	const products = new Map([['p-1', 'old']]);
	const site = createModelSite({ pages: PAGES, products }, createFolder(), store.open());
	await site.build(false);
	products.set('p-1', 'newer');
	const database = new DatabaseSync(store.file);
	database.exec("UPDATE entries SET proof = proof + 1 WHERE kind = 'page' AND pid LIKE '% a'");
	database.close();
	const results = await site.publish(['p-1']);
	expect(results).toContainEqual({
		page: 'page.astro a',
		reason: expect.stringContaining('damaged'),
		pids: [],
	});
});

test('of two pages with one name, the products of both are known, and the fragments of neither', async () => {
	const table = createStoreFile().open().pages<StoredPage>();
	const recorder = createPageRecorder();
	const audit = { add: () => [], addKnown: () => {} };
	const marks = createMarks('a'.repeat(32));
	const pages = createBuildPages({ recorder, audit, keys: undefined, marks, table, changes: undefined });
	for (const pid of ['p-1', 'p-2']) {
		await pages.render({ name: 'same', address: `/${pid}/`, isPage: true }, async () => {
			const request = { component: 'StarRating', props: {} };
			const { html } = recorder.show(
				{ pid, from: 'reviews', version: '1', request },
				{ html: pid, facts: [] },
			);
			return { result: html, read: async () => Buffer.from(html), with: (body) => body.toString() };
		});
	}
	pages.finish();
	expect([table.showing(['p-1']), table.showing(['p-2'])]).toEqual([['same'], ['same']]);
	expect(table.get('same')?.file ?? undefined).toBeUndefined();
});
