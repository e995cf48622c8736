import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test, vi } from 'vitest';
import { lockOutput } from '../../../src/build/lock-output.js';
import { describeOutput, keepOutput, type Output } from '../../../src/build/output.js';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { publishReviews } from '../../../src/publish/index.js';
import { runPublish } from '../../../src/publish/run-publish.js';
import { ALL_PRODUCTS } from '../../../src/store/marks.js';
import { NO_VALUE } from '../../../src/store/pack.js';
import { createFilledStore } from '../../support/unit/filled-store.js';

type StoreFile = ReturnType<typeof createFilledStore>;

const ALL_LEFT = {
	files: [],
	rebuild: [{ page: null, reason: expect.stringContaining('no build has kept where its reviews are') }],
	unchanged: [],
	failed: [],
};

function marked({ open }: StoreFile): readonly string[] {
	const store = open();
	const pids = [...store.pids('mark')];
	store.close();
	return pids;
}

test('what is left to the next build is marked in the store, so that it is not forgotten', async () => {
	const store = createFilledStore(['p-1', 'p-2']);
	const storeFile = pathToFileURL(store.file);
	expect(await publishReviews({ storeFile, pids: ['p-2', 'unknown'] })).toEqual(ALL_LEFT);
	expect(marked(store)).toEqual(['p-2']);
	expect(await publishReviews({ storeFile: store.file, pids: 'all' })).toEqual(ALL_LEFT);
	expect(marked(store)).toEqual(['p-1', 'p-2']);
});

test('a dry run marks nothing', async () => {
	const store = createFilledStore(['p-1']);
	const context = { environment: {}, warn: () => {}, onWait: () => {}, onProgress: () => {} };
	await runPublish(['p-1'], { ...context, storeFile: store.file, isDryRun: true });
	expect(marked(store)).toEqual([]);
});

test('where there is no store, or none that can be used, the next build asks for everything anyway', async () => {
	const root = createFolder();
	expect(await publishReviews({ root, pids: ['p-1'] })).toEqual(ALL_LEFT);
	const storeFile = join(root, 'other.db');
	writeFileSync(storeFile, 'not a database, but long enough to have a header of one hundred bytes'.repeat(3));
	expect(await publishReviews({ storeFile, pids: ['p-1'] })).toEqual(ALL_LEFT);
});

/** Says that the last build wrote pages into the folder of the store. */
function keepBuild({ open }: StoreFile, change: Partial<Output> = {}): void {
	const store = open();
	const connection = resolveConnection({ baseUrl: 'http://127.0.0.1:9', wsid: 'w' }, {});
	const context = {
		outDir: 'dist',
		folder: '.',
		root: '.',
		envFolder: false,
		mode: 'production',
		config: undefined,
		site: undefined,
		base: '/',
	} as const;
	const sources = { options: parseOptions({ publish: true }), connection, changes: undefined };
	keepOutput(store, { ...describeOutput(sources, context, true), ...change }, Date.now());
	store.close();
}

const CONTEXT = { environment: {}, isDryRun: false, warn: () => {}, onWait: () => {}, onProgress: () => {} };

const { account: ACCOUNT } = resolveConnection({ baseUrl: 'http://127.0.0.1:9', wsid: 'w' }, {});

test('a build that is running is waited for', async () => {
	const store = createFilledStore(['p-1'], [ACCOUNT]);
	keepBuild(store, { isComplete: false });
	const lock = { storeFile: store.file, outDir: 'dist', patience: 0, onWait: () => {} };
	const unlock = await lockOutput(lock);
	const waits = Promise.withResolvers<void>();
	const published = runPublish('marked', { ...CONTEXT, storeFile: store.file, onWait: waits.resolve });
	await Promise.race([waits.promise, published]);
	keepBuild(store);
	unlock?.();
	expect((await published).published.rebuild).toEqual([]);
});

test('what could not be published is marked, so that it is not forgotten', async () => {
	const store = createFilledStore(['p-1', 'p-2']);
	keepBuild(store, { hasToken: true });
	const context = { ...CONTEXT, storeFile: store.file };
	await expect(runPublish(['p-1'], context)).rejects.toThrow('there is none now');
	expect(marked(store)).toEqual(['p-1']);
});

test('if a mark was lost, all products are taken for marked', async () => {
	const store = createFilledStore(['p-1', 'p-2'], [ACCOUNT]);
	keepBuild(store);
	const opened = store.open(ACCOUNT);
	opened.table('mark').put(ALL_PRODUCTS, NO_VALUE, Date.now());
	opened.close();
	const { published } = await runPublish('marked', { ...CONTEXT, storeFile: store.file });
	expect(published.unchanged).toEqual(['p-1', 'p-2']);
});

test('no statement of a publish reads more the more products there are', async () => {
	const store = createFilledStore(['p-1', 'p-2'], [ACCOUNT]);
	keepBuild(store);
	const statements = new Set<string>();
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	await runPublish(['p-1'], { ...CONTEXT, storeFile: store.file });
	for (const [sql] of prepare.mock.calls) statements.add(sql);
	prepare.mockRestore();
	const database = new DatabaseSync(store.file);
	const scans = [...statements].flatMap((sql) =>
		database
			.prepare(`EXPLAIN QUERY PLAN ${sql}`)
			.all()
			.map(({ detail }) => `${detail}: ${sql}`)
			.filter((step) => /^SCAN (?!json_each|marks|sqlite_schema)/.test(step)),
	);
	database.close();
	expect(scans).toEqual([]);
	expect(statements.size).toBeGreaterThan(20);
});
