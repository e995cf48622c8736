import { expect, test } from 'vitest';
import type { StoredResource } from '../../../src/cache/stored-resource.js';
import type { ReviewData } from '../../../src/parse/record.js';
import { pack } from '../../../src/store/values.js';
import { hasCollectionChanged } from '../../../src/update/update-products.js';
import { createStoreFile } from '../../support/unit/store.js';

test('a collection has changed until the next build, however often it is asked', async () => {
	const store = createStoreFile().open();
	let answer = 'old';
	const put = () => store.table('review-data').put('p-1', pack({ answer }), Date.now());
	let builtAt = 0;
	const reviewData = { settle: async () => put() } as unknown as StoredResource<ReviewData>;
	const ask = (pid = 'p-1') => hasCollectionChanged(pid, { store, reviewData }, builtAt);
	put();
	builtAt = Date.now();
	expect(await ask()).toBe(false);
	answer = 'new';
	for (const _ of [1, 2]) expect(await ask()).toBe(true);
	builtAt = Date.now() + 1;
	expect(await ask()).toBe(false);
	expect(await ask('other')).toBe(false);
});
