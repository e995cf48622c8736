import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { publishReviews } from '../../../src/publish/index.js';
import { runPublish } from '../../../src/publish/run-publish.js';
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
