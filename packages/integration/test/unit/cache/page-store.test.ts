import { describe, expect, onTestFinished, test } from 'vitest';
import { CacheFile } from '../../../src/cache/cache-file.js';
import { UnusableFileError } from '../../../src/cache/open-database.js';
import type { Dependency, StoredPage } from '../../../src/cache/page-store.js';
import { COLLECTION, PageStore, siteOf } from '../../../src/cache/page-store.js';
import { pack } from '../../../src/records/packed.js';
import { change, createCacheFile, query } from '../../support/unit/cache.js';

const BUILD = { id: 'b-1', account: 'account' };

const depend = (pid: string, version?: string): Dependency => ({
	pid,
	from: 'reviews',
	version,
	held: ['d'],
});
const pageOf = (name: string, ...dependencies: Dependency[]): StoredPage => {
	return { address: `/${name}/`, dependencies, facts: [] };
};

/** A cache whose last build wrote these pages, which nobody has open. */
function createBuilt(pages: Readonly<Record<string, readonly Dependency[]>>) {
	const cacheFile = createCacheFile();
	const build = (given: typeof pages) => {
		const { store, pages: written } = cacheFile.openBoth();
		for (const [name, dependencies] of Object.entries(given))
			written.put(name, pageOf(name, ...dependencies));
		written.finish(new Set(Object.keys(given)), BUILD, false);
		store.close();
	};
	build(pages);
	return { ...cacheFile, build, open: () => cacheFile.openBoth().pages };
}

const TWO_PAGES = { a: [depend('p-1', 'v1')], b: [depend('p-1', 'v1'), depend('p-2', 'v1')] };
const SHOWN = [
	{ pid: 'p-1', part: 'reviews', version: 'v1', pages: ['a', 'b'] },
	{ pid: 'p-2', part: 'reviews', version: 'v1', pages: ['b'] },
];

describe('rows prove themselves', () => {
	test.each([
		['row', "row = replace(row, 'v1', 'v2')"],
		['row, that of another page', "row = (SELECT row FROM pages WHERE name = 'b')"],
		['row, emptied', "row = ''"],
		['row, no text', "row = x'00ff'"],
		['name', "name = 'c'"],
		['next', 'next = substr(row, 2)'],
		['next, that of another page', "next = (SELECT row FROM pages WHERE name = 'b')"],
		['site', "site = 'other'"],
	])('a page: %s', (_column, sql) => {
		const { file, open } = createBuilt(TWO_PAGES);
		change(file, `UPDATE pages SET ${sql} WHERE name = 'a'`);
		const pages = open();
		expect(['a', 'c'].map((name) => pages.get(name))).toEqual([undefined, undefined]);
		expect(pages.get('b')?.row).toEqual(pageOf('b', ...TWO_PAGES.b));
	});

	test.each([
		['site', "UPDATE page_products SET site = 'other' WHERE pid = 'p-1'"],
		['pid', "UPDATE page_products SET pid = 'p-3' WHERE pid = 'p-1'"],
		['part', "UPDATE page_products SET part = 'rating' WHERE pid = 'p-1'"],
		['version', "UPDATE page_products SET version = 'v2' WHERE pid = 'p-1'"],
		['pages', "UPDATE page_products SET pages = '[]' WHERE pid = 'p-1'"],
		['proof', "UPDATE page_products SET proof = proof + 1 WHERE pid = 'p-1'"],
		['a row that is gone', "DELETE FROM page_products WHERE pid = 'p-1'"],
		['the number of rows', 'UPDATE builds SET products = 1'],
		['the build', 'DELETE FROM builds'],
	])('the index: %s', (_column, sql) => {
		const { file, open } = createBuilt(TWO_PAGES);
		change(file, sql);
		const pages = open();
		expect(() => pages.products()).toThrow(UnusableFileError);
		let shown: readonly unknown[] = [];
		try {
			shown = pages.shown(['p-1', 'p-2', 'p-3']);
		} catch (error) {
			expect(error).toBeInstanceOf(UnusableFileError);
		}
		for (const one of shown) expect(SHOWN).toContainEqual(one);
	});

	test.each(["id = 'b-2'", "account = 'other'", "site = 'other'"])('the build: %s', (sql) => {
		const { file, open } = createBuilt(TWO_PAGES);
		expect(open().isOf(BUILD)).toBe(true);
		change(file, `UPDATE builds SET ${sql}`);
		expect(open().isOf(BUILD)).toBe(false);
	});
});

test('the index has each product once, with its pages, and the version that all of them show', () => {
	const { openBoth } = createCacheFile();
	const { store, pages } = openBoth();
	for (const [pid, part] of [
		['p-1', 'reviews'],
		['p-2', 'review-data'],
	] as const)
		store.put(pid, part, pack(pid), { fetchedAt: 1, revision: 0 });
	store.flush();
	pages.put('a', pageOf('a', depend('p-1', 'v1'), depend('p-1', 'v1'), depend('none')));
	pages.put('b', pageOf('b', depend('p-1', 'v2'), { pid: 'p-2', from: 'review-data', version: 'v1' }));
	pages.put('gone', pageOf('gone', depend('p-3', 'v1')));
	expect([pages.showing('p-1'), pages.showing('none'), pages.showing('p-9')]).toEqual([
		['a', 'b'],
		['a'],
		[],
	]);
	pages.remove('gone');
	pages.finish(new Set(['a', 'b']), BUILD, true);
	expect(pages.shown(['p-1', 'p-2', 'p-3', 'none']).map((one) => ({ ...one }))).toEqual([
		{ pid: 'none', part: 'reviews', version: '', pages: ['a'] },
		{ pid: 'p-1', part: 'reviews', version: '', pages: ['a', 'b'] },
		// The build's content collection has what the cache has, which is other than what the page shows.
		{ pid: 'p-2', part: 'review-data', version: '', pages: [COLLECTION, 'b'] },
	]);
	expect(pages.products()).toEqual(['none', 'p-1', 'p-2']);
	// Of these, the cache has something.
	expect(pages.changed('account')).toEqual(['p-1', 'p-2']);
	expect(pages.changed('other')).toEqual([]);
	expect(pages.showing('p-1')).toEqual([]);
});

test('a build keeps the pages that it takes over, and forgets those that it does not have', () => {
	const { open } = createBuilt({ ...TWO_PAGES, c: [depend('p-3', 'v1')] });
	const pages = open();
	const kept = pages.get('b')?.row ?? expect.unreachable('It was built.');
	pages.keep('b', kept);
	pages.put('a', pageOf('a', depend('p-1', 'v2')));
	pages.finish(new Set(['a', 'b']), { ...BUILD, id: 'b-2' }, false);
	expect(pages.names().toSorted()).toEqual(['a', 'b']);
	expect(pages.shown(pages.products())).toMatchObject([
		{ pid: 'p-1', version: '', pages: ['a', 'b'] },
		{ pid: 'p-2', version: 'v1', pages: ['b'] },
	]);
	expect([pages.isOf(BUILD), pages.isOf({ ...BUILD, id: 'b-2' })]).toEqual([false, true]);
});

test('output folders that share a cache do not meet, and have a name that moves with their project', () => {
	const cache = CacheFile.inMemory();
	onTestFinished(() => cache.close());
	const sites = ['dist', 'other'].map((site) => new PageStore(cache, site));
	for (const [at, pages] of sites.entries()) {
		pages.put('a', pageOf('a', depend(`p-${at}`, 'v1')));
		pages.finish(new Set(['a']), { ...BUILD, id: `${at}` }, false);
		pages.end([], [], [`${at}.html`]);
	}
	for (const [at, pages] of sites.entries()) {
		expect(pages.products()).toEqual([`p-${at}`]);
		expect(pages.get('a')?.row.dependencies).toMatchObject([{ pid: `p-${at}` }]);
		expect([...pages.undelivered().keys()]).toEqual([`${at}.html`]);
	}
	expect(siteOf('/shop/node_modules/.astro/reviews.db', '/shop/dist')).toBe('../../dist');
});

describe('an update', () => {
	const [before, after] = [pageOf('a', depend('p-1', 'v1')), pageOf('a', depend('p-1', 'v2'))];
	const begin = (pages: PageStore) => pages.begin(new Map([['a', { row: before, next: after }]]));

	test('that was killed left pages of which both is known; one that ended, none', () => {
		const { open } = createBuilt(TWO_PAGES);
		expect(open().pending()).toEqual([]);
		begin(open());
		// Another process.
		const next = open();
		expect([next.pending(), next.get('a')]).toEqual([['a'], { row: before, next: after }]);
		expect(next.shown(['p-1'])).toEqual(SHOWN.slice(0, 1));
		next.end(['a', 'b', 'unknown'], [{ ...SHOWN[0], version: 'v2' } as never], ['a/index.html']);
		const last = open();
		expect([last.pending(), last.get('a')]).toEqual([[], { row: after, next: undefined }]);
		expect(last.get('b')?.row).toEqual(pageOf('b', ...TWO_PAGES.b));
		expect(last.shown(last.products())).toMatchObject([{ version: 'v2' }, { version: 'v1' }]);
		expect([...last.undelivered().keys()]).toEqual(['a/index.html']);
	});

	test('that only notes a page, without writing its file, leaves nothing to do', () => {
		const { open } = createBuilt(TWO_PAGES);
		open().begin(new Map([['a', { row: after, next: undefined }]]));
		expect([open().pending(), open().get('a')?.row]).toEqual([[], after]);
	});

	test.each([
		['the same page', before],
		['another page', after],
	])('that was killed is over when a build renders %s', (_what, page) => {
		const { open } = createBuilt(TWO_PAGES);
		begin(open());
		const pages = open();
		pages.put('a', page);
		pages.flush();
		expect([open().pending(), open().get('a')]).toEqual([[], { row: page, next: undefined }]);
	});
});

test('a file that changed again while somebody was told of it is still to be told of; a build tells of all', () => {
	const { file, open, build } = createBuilt(TWO_PAGES);
	open().end([], [], ['a.html', 'b.html']);
	const told = open().undelivered();
	expect([...told.keys()]).toEqual(['a.html', 'b.html']);
	open().end([], [], ['a.html', 'c.html']);
	open().deliver(told);
	const left = open().undelivered();
	expect([...left.keys()]).toEqual(['a.html', 'c.html']);
	expect(left.get('a.html')).not.toBe(told.get('a.html'));
	build(TWO_PAGES);
	expect([...open().undelivered()]).toEqual([]);
	expect(query(file, 'SELECT * FROM undelivered')).toEqual([]);
});
