import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { joinCaches } from '../../../src/merge/join-caches.js';

const MANIFEST = { version: 1, configHash: 'c', lockfileHash: 'l', keyDigest: 'k' };

/** A shard with what Astro keeps of an incremental build. @param pages names of pages, of which all but those in `lost` have a file */
function createCache(
	name: string,
	pages: readonly string[],
	{
		lost = [] as string[],
		folder = '',
		dependencyHash = 'd',
		...manifest
	}: Record<string, unknown> & { lost?: string[]; folder?: string } = {},
) {
	const root = createFolder('cache');
	const cache = join(root, 'cache');
	mkdirSync(join(cache, 'dist'), { recursive: true });
	const paths = Object.fromEntries(
		pages.map((page) => [`/${page}`, { cacheKey: `${name} ${page}`, outputFile: `${folder}${page}.html` }]),
	);
	for (const page of pages)
		if (!lost.includes(page)) writeFileSync(join(cache, 'dist', `${folder}${page}.html`), page);
	const routes = { 'src/page.astro': { dependencyHash, paths } };
	writeFileSync(join(cache, 'incremental-build.json'), JSON.stringify({ ...MANIFEST, routes, ...manifest }));
	return { astroCache: cache };
}

function join2(...shards: ReturnType<typeof createCache>[]) {
	const joined = joinCaches(shards);
	const { routes, ...manifest } = JSON.parse(joined?.manifest ?? '{}');
	const paths = routes['src/page.astro'].paths;
	const keys = Object.values<{ cacheKey: string }>(paths).map(({ cacheKey }) => cacheKey);
	return { keys, manifest, files: [...(joined?.files.keys() ?? [])] };
}

test('an incremental build may reuse the pages of all shards, each of the first that has it', () => {
	expect(join2(createCache('one', ['a', 'index']), createCache('two', ['b', 'index']))).toEqual({
		keys: ['one a', 'one index', 'two b'],
		manifest: MANIFEST,
		files: ['a.html', 'index.html', 'b.html'],
	});
});

test.each([
	['was built with another configuration', { configHash: 'other' }],
	['was built with other packages', { lockfileHash: 'other' }],
	['was written by another Astro', { version: 2 }],
	['has other source files', { dependencyHash: 'other' }],
	['has lost its file', { lost: ['b'] }],
	['has its file elsewhere', { folder: '../' }],
])('a page that %s is rendered again', (_, other) => {
	expect(join2(createCache('one', ['a']), createCache('two', ['b'], other))).toMatchObject({
		keys: ['one a'],
		files: ['a.html'],
	});
});

test('a page that needs the key of its own build is rendered again', () => {
	const { keys, manifest } = join2(
		createCache('one', ['a']),
		createCache('two', ['b'], { keyDigest: 'other' }),
	);
	expect(keys).toEqual(['one a', 'two b']);
	expect(manifest.keyDigest).toBe('');
});

test('there is nothing to join without incremental builds', () => {
	expect(joinCaches([{ astroCache: createFolder() }, { astroCache: undefined }])).toBeUndefined();
});

test('a page whose file is a link is rendered again', () => {
	const one = createCache('one', ['a', 'b'], { lost: ['b'] });
	const secret = join(createFolder(), 'secret');
	writeFileSync(secret, 's3cret');
	symlinkSync(secret, join(one.astroCache, 'dist/b.html'));
	expect(join2(one)).toMatchObject({ keys: ['one a'], files: ['a.html'] });
});
