import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { expectSame, type Files } from '../support/build/project.js';
import { productIds, removeReviews, startShop, TOKEN } from '../support/build/service.js';

// The site's middleware comes from a virtual module, from a package and by `export *`; a component reads its slot as a string.
const PIDS = productIds(4);
const { project: site, service } = await startShop('site-code', PIDS, {
	environment: TOKEN,
	atEnd: afterAll,
});
removeReviews(service, 'p-4');
const inProject = (path: string) => join(site.root, path);
mkdirSync(inProject('node_modules'), { recursive: true });
renameSync(inProject('word-counter'), inProject('node_modules/word-counter'));

/** What middleware saw: the words and headings of a page. */
const SEEN = /<!-- (exported|package|virtual): (\d+) words, \[.*?\] -->/g;
const DERIVED = new RegExp(`${SEEN.source}| data-length="\\d+"`, 'g');

test('code of the site sees the html that its page has, and a build does not change from one to the next', async () => {
	await site.build();
	const first = site.contents();
	for (const name of PIDS.map((pid) => `${pid}/index.html`)) {
		const html = site.read(name);
		const seen = [...html.matchAll(SEEN)];
		expect(seen.map(([, by]) => by).toSorted(), name).toEqual(['exported', 'package', 'virtual']);
		expect(new Set(seen.map(([, , words]) => words)).size).toBe(1);
		const text = html.replaceAll(/<script[\s\S]*?<\/script>|<!--[\s\S]*?-->|<[^>]*>/g, ' ');
		expect(seen[0]?.[2]).toBe(`${text.match(/\S+/g)?.length}`);
		const [, length, slot] = /<div data-length="(\d+)">([\s\S]*?)<\/div>/.exec(html) ?? [];
		expect(slot).toHaveLength(Number(length));
	}
	expectSame(await site.buildAnew(), first);
	await site.build();
	expectSame(site.contents(), first);
});

test('an update writes what a build writes but for what the site derives, whatever props hold', async () => {
	for (const pid of PIDS)
		service.store.createReview(pid, { rating: 1, author: 'New', title: 'New', body: 'Just published.' });
	const before = site.contents();
	const { status, files, rebuild, errors } = await site.updateJson(PIDS);
	expect({ status, files }, errors).toEqual({
		status: 3,
		files: ['p-1/index.html', 'p-2/index.html', 'p-4/index.html'],
	});
	// It has a key of its reviews in its own markup.
	const reason = 'its own markup uses reviews that changed: reviewsCacheKey()';
	expect(rebuild).toEqual([{ page: '/p-3/', reason }]);
	const after = site.contents();
	expect(after.get('p-3/index.html')).toEqual(before.get('p-3/index.html'));
	const anew = await site.buildAnew();
	expect(anew.get('p-3/index.html')).not.toEqual(before.get('p-3/index.html'));
	const written = (pages: Files) =>
		new Map(files.map((name) => [name, Buffer.from(`${pages.get(name)}`.replaceAll(DERIVED, ''))]));
	expectSame(written(after), written(anew));
});
