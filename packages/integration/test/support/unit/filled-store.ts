import { pack } from '../../../src/store/pack.js';
import { record } from './record.js';
import { createStoreFile } from './store.js';

/** When everything in a filled store was fetched, in milliseconds since 1970. */
export const FETCHED_AT = Date.parse('2020-02-29T12:00:00Z');

/** A closed store file that has the reviews of these products, with a rating and one page. */
export function createFilledStore(pids: readonly string[], accounts: readonly string[] = ['account']) {
	const storeFile = createStoreFile();
	for (const account of accounts) {
		const store = storeFile.open(account);
		for (const pid of pids) {
			store.table('reviews').put(pid, pack(record({ pid })), FETCHED_AT);
			store.table('rating').put(pid, pack({ average: 4.5, count: 2, questionCount: 3 }), FETCHED_AT);
		}
		store.pages().put('/p-1/', pack({ generation: 'g', address: '/p-1/', dependencies: [] }), pids);
		store.close();
	}
	return storeFile;
}
