import { expect, test } from 'vitest';
import { pack } from '../../../src/cache/values.js';
import type { CachedResource } from '../../../src/fetching/cached-resource.js';
import type { ReviewData } from '../../../src/parse/record.js';
import { hasCollectionChanged } from '../../../src/update/update-products.js';
import { createCacheFile } from '../../support/unit/cache.js';

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
