import { packContent } from '../../../src/records/packed.js';
import type { ProductReviews } from '../../../src/records/record.js';
import { createCacheFile } from './cache.js';
import { record } from './record.js';

export const FETCHED_AT = Date.parse('2020-02-29T12:00:00Z');

export const STAMP = { fetchedAt: FETCHED_AT, revision: 0 };

/** The record of a product with one review, but for what is given, as a build writes it. */
export function packRecord(parts: Partial<ProductReviews>) {
	return packContent('reviews', { record: record(parts) });
}

/** A closed store file that has the reviews of these products, with a rating and one page. */
export function createFilledCache(pids: readonly string[], accounts: readonly string[] = ['account']) {
	const cacheFile = createCacheFile();
	for (const account of accounts) {
		const { store, pages } = cacheFile.openBoth(account);
		for (const pid of pids) {
			store.put(pid, 'reviews', packRecord({ pid }), STAMP);
			store.put(pid, 'rating', { record: { average: 4.5, count: 2, questionCount: 3 } }, STAMP);
		}
		const dependencies = pids.map((pid) => ({ pid, from: 'reviews' as const }));
		pages.put('p-1', { generation: 'g', address: '/p-1/', dependencies, facts: [] });
		pages.finish(new Set(['p-1']), { id: 'build', account }, false);
		store.close();
	}
	return cacheFile;
}
