import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { onTestFinished } from 'vitest';
import { openCache } from '../../../src/cache/open-cache.js';

/** In memory where the system has a folder there: a test of flipped bits writes thousands of files. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : undefined;

/** A store file of the running test's own, in memory where that is possible, and the warnings of every store that is opened on it. */
export function createCacheFile(file = join(createFolder('store', PARENT), 'cache', 'reviews-v7.db')) {
	const warnings: string[] = [];
	return {
		file,
		warnings,
		/** Opens a store on the file; it is closed after the test at the latest. */
		open(account = 'account', now = Date.now) {
			const cache = openCache(file, account, (message) => warnings.push(message), now);
			onTestFinished(() => cache.close());
			return cache;
		},
	};
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
