import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test, vi } from 'vitest';
import { siteOf } from '../../../src/cache/page-store.js';
import { PROVIDER_FILE } from '../../../src/constants.js';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProductReviewsUserOptions } from '../../../src/options/schema.js';
import {
	type BuildPlaces,
	describeBuild,
	pointToCache,
	writeManifest,
} from '../../../src/project/manifest.js';
import { openProvider, type SiteConnection } from '../../../src/providers/load-provider.js';
import { pack } from '../../../src/records/packed.js';
import { NOT_RATED, writeRatings } from '../../../src/render/rating-columns.js';
import { updateReviews } from '../../../src/update/index.js';
import { runUpdate } from '../../../src/update/update.js';
import { change, createCacheFile } from '../../support/unit/cache.js';
import { createFilledCache, STAMP } from '../../support/unit/filled-cache.js';

type CacheFile = ReturnType<typeof createFilledCache>;

const CONNECTION = resolveConnection({ baseUrl: 'http://127.0.0.1:9', wsid: 'w' }, {});
const CONTEXT = { isDryRun: false, warn: () => {} };
const ALL_LEFT = {
	files: [],
	copies: [],
	rebuild: [{ page: null, reason: expect.stringContaining('no build of this project is known') }],
	unchanged: [],
	notShown: [],
	failed: [],
};

function marked({ open }: CacheFile, account?: string): readonly string[] {
	const store = open(account);
	const pids = store.marked();
	for (const pid of pids) expect(store.markOf(pid).confirmed).toBe(0);
	store.close();
	return pids;
}

/** Writes what the build of a cache was: its pages are in the folder of that. */
function writeBuild(file: string, connection: SiteConnection, given: ProductReviewsUserOptions = {}) {
	const places: BuildPlaces = {
		...{ root: dirname(file), outDir: 'dist', folder: '.', envFolder: '.' },
		...{ mode: 'production', configFile: undefined, config: undefined, site: undefined, base: '/' },
	};
	const options = parseOptions(given);
	const sources = {
		id: 'build',
		options,
		settings: options,
		connection,
		changes: undefined,
		places: () => places,
	};
	writeManifest(file, describeBuild(sources, true, Date.now()));
}

/** A store of these products, whose last build wrote pages into its folder. */
function createBuilt(pids: readonly string[], token?: () => string) {
	const cache = createFilledCache(pids, [CONNECTION.account]);
	writeBuild(cache.file, { ...CONNECTION, token });
	return cache;
}

test('where no build is known, the folder is named, and the project above it', async () => {
	const root = createFolder('above');
	const folder = join(root, 'src');
	mkdirSync(folder);
	const reasonFor = async () => {
		const { result } = await runUpdate([], { ...CONTEXT, root: folder, cacheFile: join(folder, 'none.db') });
		return result.rebuild[0]?.reason;
	};
	const unknown = `no build of this project is known in the folder "src"`;
	expect(await reasonFor()).toBe(`${unknown}: run "astro build" once`);
	writeFileSync(join(root, 'astro.config.mjs'), '');
	expect(await reasonFor()).toBe(
		`${unknown}: run the command in the folder "${basename(root)}" above, where there is an Astro project`,
	);
});

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
	const cache = createBuilt(['p-1', 'p-2'], () => 'token');
	const updated = runUpdate(['p-1'], { ...CONTEXT, cacheFile: cache.file });
	await expect(updated).rejects.toThrow('there is none now');
	expect(marked(cache, CONNECTION.account)).toEqual(['p-1']);
});

test('an output folder that an earlier build with the same cache wrote is named, as it is not updated', async () => {
	const { file } = createBuilt(['p-1'], () => 'token');
	const root = dirname(file);
	for (const outDir of ['gone', 'earlier', 'dist']) {
		if (outDir !== 'gone') mkdirSync(join(root, outDir));
		pointToCache({ root, outDir: join(root, outDir), cacheFile: file });
	}
	const said: string[] = [];
	const context = { ...CONTEXT, cacheFile: file, warn: (line: string) => said.push(line) };
	await expect(runUpdate(['p-1'], context)).rejects.toThrow('there is none now');
	expect(said).toEqual([
		'Only "dist" is updated: "earlier" has the same cache, and was built before it. Give each its own option "cacheDir".',
	]);
	await expect(runUpdate(['p-1'], { ...context, outDir: 'dist' })).rejects.toThrow('there is none now');
	expect(said).toHaveLength(1);
});

test('a project whose cache another project has built with since leaves all of its pages', async () => {
	const { file } = createBuilt(['p-1'], () => 'token');
	const root = createFolder();
	pointToCache({ root, outDir: join(root, 'dist'), cacheFile: file });
	const { rebuild, files } = await updateReviews({ root, pids: ['p-1'] });
	const reason = expect.stringMatching(
		/^the last build was made in another folder, .*: build once in this one$/,
	);
	expect([rebuild, files]).toEqual([[{ page: null, reason }], []]);
});

test('where there is no cache, or none that can be used, the next build asks for everything anyway', async () => {
	const root = createFolder();
	expect(await updateReviews({ root, pids: ['p-1'] })).toEqual(ALL_LEFT);
	const cacheFile = join(root, 'other.db');
	writeFileSync(cacheFile, 'not a database '.repeat(20));
	expect(await updateReviews({ cacheFile, pids: ['p-1'] })).toEqual(ALL_LEFT);
});

const PROVIDER = `import { readFileSync } from 'node:fs';
	const body = () => readFileSync(new URL('body.txt', import.meta.url), 'utf8');
	export default { reviews: (pid) => pid === 'p-1' ? { reviews: [{ rating: 4, body: body() }] } : undefined };`;

/** A site with a page that shows nothing of its own, whose content collection has what is in the cache. */
async function createSite(hasCollection: boolean) {
	const cacheFile = createCacheFile();
	const { file } = cacheFile;
	const root = dirname(file);
	mkdirSync(root);
	const write = (body: string) => writeFileSync(join(root, 'body.txt'), body);
	write('Boils fast.');
	const bundle = { code: PROVIDER, file: join(root, PROVIDER_FILE) };
	writeFileSync(bundle.file, PROVIDER);
	const connection = await openProvider({ entrypoint: './provider.mjs' }, root, {}, bundle);
	const { account } = connection;
	const use = <Result>(action: (opened: ReturnType<typeof cacheFile.openBoth>) => Result): Result => {
		const opened = cacheFile.openBoth(account);
		const result = action(opened);
		opened.store.close();
		return result;
	};
	const build = () =>
		use(({ store, pages }) => {
			const version = store.entry('p-1', 'reviews')?.digest;
			pages.put('a', {
				address: '/a/',
				dependencies: [{ pid: 'p-1', from: 'reviews', version }],
				facts: [],
			});
			pages.finish(new Set(['a']), { id: 'build', account }, hasCollection);
		});
	const part = hasCollection ? 'review-data' : 'reviews';
	use(({ store }) => store.put('p-1', part, pack({}), STAMP));
	build();
	writeBuild(file, connection, { provider: './provider.mjs', feeds: { ratings: true } });
	expect(siteOf(file, join(root, 'dist'))).toBe('dist');
	const context = { ...CONTEXT, cacheFile: file };
	const update = async (given: Parameters<typeof runUpdate>[0]) => (await runUpdate(given, context)).result;
	return { file, root, write, use, build, update };
}

test('no statement of an update reads more the more products there are', async () => {
	const { file, update } = await createSite(false);
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	expect(await update(['p-1'])).toMatchObject({ rebuild: [{ page: '/a/' }], failed: [] });
	const statements = [...new Set(prepare.mock.calls.map(([sql]) => sql))];
	prepare.mockRestore();
	const database = new DatabaseSync(file);
	const steps = statements.flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
	database.close();
	const details = steps.map(({ detail }) => String(detail));
	expect(details.filter((detail) => /^SCAN (?!json_each|sqlite_schema|\(subquery)/.test(detail))).toEqual([]);
	expect(statements.length).toBeGreaterThan(10);
});

test('a collection has changed until the next build, however often it is asked', async () => {
	const { build, update, write } = await createSite(true);
	const reason = 'a content collection has reviews that changed, and any page may show them';
	for (const given of [['p-1'], ['p-1'], 'marked', 'all'] as const)
		expect((await update(given)).rebuild).toContainEqual({ page: null, reason });
	build();
	const same = { rebuild: [], unchanged: ['p-1'], notShown: [], failed: [] };
	expect(await update(['p-1'])).toMatchObject(same);
	expect(await update(['other'])).toMatchObject({ rebuild: [], unchanged: [], notShown: ['other'] });
	write('Boils slowly.');
	expect((await update(['p-1'])).rebuild).toContainEqual({ page: null, reason });
});

test('files that a killed update may have written are named by the next one', async () => {
	const { root, use, build, update } = await createSite(false);
	const ratings = join(root, 'product-ratings.json');
	writeFileSync(ratings, writeRatings(new Map([['p-1', NOT_RATED]])));
	expect(await update(['p-1'])).toMatchObject({
		files: ['product-ratings.json'],
		rebuild: [{ page: '/a/' }],
	});
	build();
	expect((await update(['p-1'])).files).toEqual([]);
	use(({ pages }) => {
		const { row } = pages.get('a') ?? expect.unreachable('It was built.');
		pages.begin(new Map([['a', { row, next: row }]]));
	});
	writeFileSync(`${ratings}.product-reviews-tmp`, 'half');
	expect(await update([])).toMatchObject({ files: ['product-ratings.json'], unchanged: ['p-1'] });
	expect(existsSync(`${ratings}.product-reviews-tmp`)).toBe(false);
	expect((await update([])).files).toEqual([]);
});

test('a page that a killed update may have written, and that is damaged in the cache, is left to a build', async () => {
	const { file, use, update } = await createSite(false);
	use(({ pages }) => {
		const { row } = pages.get('a') ?? expect.unreachable('It was built.');
		pages.begin(new Map([['a', { row, next: row }]]));
	});
	change(file, "UPDATE pages SET next = 'damaged'");
	const rebuild = [{ page: 'a', reason: 'what the cache had of it is damaged' }];
	for (const given of [[], ['other']]) expect(await update(given)).toMatchObject({ rebuild });
});
