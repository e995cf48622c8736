import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test, vi } from 'vitest';
import { pack } from '../../../src/cache/values.js';
import type { CachedResource } from '../../../src/fetching/cached-resource.js';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ReviewData } from '../../../src/parse/record.js';
import { type BuildPlaces, describeBuild, writeManifest } from '../../../src/project/manifest.js';
import { updateReviews } from '../../../src/update/index.js';
import { runUpdate } from '../../../src/update/update.js';
import { hasCollectionChanged } from '../../../src/update/update-products.js';
import { createCacheFile } from '../../support/unit/cache.js';
import { createFilledCache } from '../../support/unit/filled-cache.js';

type CacheFile = ReturnType<typeof createFilledCache>;

const CONNECTION = resolveConnection({ baseUrl: 'http://127.0.0.1:9', wsid: 'w' }, {});
const CONTEXT = { isDryRun: false, warn: () => {}, onWait: () => {}, onProgress: () => {} };
const ALL_LEFT = {
	files: [],
	rebuild: [{ page: null, reason: expect.stringContaining('no build of this project is known') }],
	unchanged: [],
	notShown: [],
	failed: [],
};

function marked({ open }: CacheFile, account?: string): readonly string[] {
	const cache = open(account);
	const pids = [...cache.pids('mark')];
	cache.close();
	return pids;
}

/** A store of these products, whose last build wrote pages into its folder. */
function createBuilt(pids: readonly string[], hasToken = false) {
	const cache = createFilledCache(pids, [CONNECTION.account]);
	const places: BuildPlaces = {
		...{ root: dirname(cache.file), outDir: 'dist', folder: '.', astroCache: 'cache', envFolder: false },
		...{ mode: 'production', configFile: undefined, config: undefined, site: undefined, base: '/' },
		...{ astro: '7.3.5' },
	};
	const options = parseOptions({});
	const sources = {
		id: 'a-build',
		options,
		connection: CONNECTION,
		changes: undefined,
		places: () => places,
	};
	writeManifest(cache.file, { ...describeBuild(sources, true, Date.now()), hasToken });
	return cache;
}

test('what is left to the next build is marked in the cache, so that it is not forgotten, but by a dry run', async () => {
	const cache = createFilledCache(['p-1', 'p-2']);
	await runUpdate(['p-1'], { ...CONTEXT, cacheFile: cache.file, isDryRun: true });
	expect(marked(cache)).toEqual([]);
	const cacheFile = pathToFileURL(cache.file);
	expect(await updateReviews({ cacheFile, pids: ['p-2', 'unknown'] })).toEqual(ALL_LEFT);
	expect(marked(cache)).toEqual(['p-2']);
	expect(await updateReviews({ cacheFile: cache.file, pids: 'all' })).toEqual(ALL_LEFT);
	expect(marked(cache)).toEqual(['p-1', 'p-2']);
});

test('what could not be updated is marked, too', async () => {
	const cache = createBuilt(['p-1', 'p-2'], true);
	const updated = runUpdate(['p-1'], { ...CONTEXT, cacheFile: cache.file });
	await expect(updated).rejects.toThrow('there is none now');
	expect(marked(cache, CONNECTION.account)).toEqual(['p-1']);
});

test('where there is no cache, or none that can be used, the next build asks for everything anyway', async () => {
	const root = createFolder();
	expect(await updateReviews({ root, pids: ['p-1'] })).toEqual(ALL_LEFT);
	const cacheFile = join(root, 'other.db');
	writeFileSync(cacheFile, 'not a database '.repeat(20));
	expect(await updateReviews({ cacheFile, pids: ['p-1'] })).toEqual(ALL_LEFT);
});

test('no statement of an update reads more the more products there are', async () => {
	const cache = createBuilt(['p-1', 'p-2']);
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	await updateReviews({ cacheFile: cache.file, pids: ['p-1'] });
	const statements = [...new Set(prepare.mock.calls.map(([sql]) => sql))];
	prepare.mockRestore();
	const database = new DatabaseSync(cache.file);
	const steps = statements.flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
	database.close();
	const details = steps.map(({ detail }) => String(detail));
	expect(details.filter((detail) => /^SCAN (?!json_each|sqlite_schema)/.test(detail))).toEqual([]);
	expect(statements.length).toBeGreaterThan(10);
});

test('a collection has changed until the next build, however often it is asked', async () => {
	const cache = createCacheFile().open();
	let answer = 'old';
	const put = () => cache.table('review-data').put('p-1', pack({ answer }), Date.now());
	let builtAt = 0;
	const reviewData = { settle: async () => put() } as unknown as CachedResource<ReviewData>;
	const ask = (pid = 'p-1') => hasCollectionChanged(pid, { cache, reviewData }, builtAt);
	put();
	builtAt = Date.now();
	expect(await ask()).toBe(false);
	answer = 'new';
	for (const _ of [1, 2]) expect(await ask()).toBe(true);
	builtAt = Date.now() + 1;
	expect(await ask()).toBe(false);
	expect(await ask('other')).toBe(false);
});
