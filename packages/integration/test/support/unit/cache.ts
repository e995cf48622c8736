import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { onTestFinished } from 'vitest';
import { CacheFile } from '../../../src/cache/cache-file.js';
import { PageStore } from '../../../src/cache/page-store.js';
import { ProductStore } from '../../../src/cache/product-store.js';

/** In memory where the system has a folder there: a test of flipped bits writes thousands of files. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : undefined;

/** A store file of the running test's own, in memory where that is possible, and the warnings of every store that is opened on it. */
export function createCacheFile(file = join(createFolder('store', PARENT), 'cache', 'reviews-v8.db')) {
	const warnings: string[] = [];
	/** Opens the products and the pages of a build. The file is closed after the test at the latest. */
	const openBoth = (account = 'account', now = Date.now) => {
		const cache = CacheFile.forBuild(file, (message) => warnings.push(message));
		const store = new ProductStore(cache, account, false, now);
		onTestFinished(() => store.close());
		return { store, pages: new PageStore(cache, 'dist') };
	};
	const open = (account?: string, now?: () => number) => openBoth(account, now).store;
	return { file, warnings, open, openBoth };
}

/** A store in memory, for a test of something else than files. */
export function createMemoryStore(now = Date.now): ProductStore {
	return new ProductStore(CacheFile.inMemory(), 'account', false, now);
}

/** Runs statements on a file that nobody has open. */
export function change(file: string, sql: string): void {
	const database = new DatabaseSync(file);
	database.exec(sql);
	database.close();
}

export function query(file: string, sql: string) {
	const database = new DatabaseSync(file);
	const rows = database.prepare(sql).all();
	database.close();
	return rows;
}
