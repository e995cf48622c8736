import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test, vi } from 'vitest';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { type BuildPlaces, describeBuild, writeLastBuild } from '../../../src/session/last-build.js';
import { updateReviews } from '../../../src/update/index.js';
import { runUpdate } from '../../../src/update/update.js';
import { createFilledStore } from '../../support/unit/filled-store.js';

type StoreFile = ReturnType<typeof createFilledStore>;

const CONNECTION = resolveConnection({ baseUrl: 'http://127.0.0.1:9', wsid: 'w' }, {});
const CONTEXT = { isDryRun: false, warn: () => {}, onWait: () => {}, onProgress: () => {} };
const ALL_LEFT = {
	files: [],
	rebuild: [{ page: null, reason: expect.stringContaining('there is no build of this project yet') }],
	unchanged: [],
	notShown: [],
	failed: [],
};

function marked({ open }: StoreFile, account?: string): readonly string[] {
	const store = open(account);
	const pids = [...store.pids('mark')];
	store.close();
	return pids;
}

/** A store of these products, whose last build wrote pages into its folder. */
function createBuilt(pids: readonly string[], hasToken = false) {
	const store = createFilledStore(pids, [CONNECTION.account]);
	const places: BuildPlaces = {
		...{ root: dirname(store.file), outDir: 'dist', folder: '.', astroCache: 'cache', envFolder: false },
		...{ mode: 'production', configFile: undefined, config: undefined, site: undefined, base: '/' },
		...{ astro: '7.3.5', shard: undefined },
	};
	const options = parseOptions({});
	const sources = { options, connection: CONNECTION, changes: undefined, places: () => places };
	writeLastBuild(store.file, { ...describeBuild(sources, true, Date.now()), hasToken });
	return store;
}

test('what is left to the next build is marked in the store, so that it is not forgotten, but by a dry run', async () => {
	const store = createFilledStore(['p-1', 'p-2']);
	await runUpdate(['p-1'], { ...CONTEXT, storeFile: store.file, isDryRun: true });
	expect(marked(store)).toEqual([]);
	const storeFile = pathToFileURL(store.file);
	expect(await updateReviews({ storeFile, pids: ['p-2', 'unknown'] })).toEqual(ALL_LEFT);
	expect(marked(store)).toEqual(['p-2']);
	expect(await updateReviews({ storeFile: store.file, pids: 'all' })).toEqual(ALL_LEFT);
	expect(marked(store)).toEqual(['p-1', 'p-2']);
});

test('what could not be updated is marked, too', async () => {
	const store = createBuilt(['p-1', 'p-2'], true);
	const updated = runUpdate(['p-1'], { ...CONTEXT, storeFile: store.file });
	await expect(updated).rejects.toThrow('there is none now');
	expect(marked(store, CONNECTION.account)).toEqual(['p-1']);
});

test('where there is no store, or none that can be used, the next build asks for everything anyway', async () => {
	const root = createFolder();
	expect(await updateReviews({ root, pids: ['p-1'] })).toEqual(ALL_LEFT);
	const storeFile = join(root, 'other.db');
	writeFileSync(storeFile, 'not a database '.repeat(20));
	expect(await updateReviews({ storeFile, pids: ['p-1'] })).toEqual(ALL_LEFT);
});

test('no statement of an update reads more the more products there are', async () => {
	const store = createBuilt(['p-1', 'p-2']);
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	await updateReviews({ storeFile: store.file, pids: ['p-1'] });
	const statements = [...new Set(prepare.mock.calls.map(([sql]) => sql))];
	prepare.mockRestore();
	const database = new DatabaseSync(store.file);
	const steps = statements.flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
	database.close();
	const details = steps.map(({ detail }) => String(detail));
	expect(details.filter((detail) => /^SCAN (?!json_each|sqlite_schema)/.test(detail))).toEqual([]);
	expect(statements.length).toBeGreaterThan(10);
});
