import type { DatabaseSync } from 'node:sqlite';
import { type Merged, mergeCache } from '../cache/merge-cache.js';
import { openDatabase, openExistingFile } from '../cache/open-database.js';
import { type Kind, PRODUCT_KINDS } from '../cache/review-cache.js';
import { fromElsewhere } from '../fetching/brought-rows.js';
import { count } from '../text/words.js';
import { namePath, say, sayingProgress } from './terminal.js';

/**
 * Opens a cache that somebody else may have written, and makes sure that it is not damaged.
 * @throws Error of {@link openExistingFile}, of SQLite, or one that says what is wrong.
 */
export function openForeignCache(file: string): DatabaseSync {
	const database = openExistingFile(file);
	try {
		// SQLite recommends both for files from elsewhere.
		database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
		const check = database.prepare('PRAGMA quick_check(1)').get();
		if (check?.['quick_check'] !== 'ok') throw new Error('its database is damaged');
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

/**
 * Takes what another cache has newer, and says how far it is.
 * @param account the only one of which something is taken, and only what this version would have written; without it,
 * everything is taken as it is.
 */
export function takeRows(
	source: DatabaseSync,
	target: DatabaseSync,
	account?: string,
	kinds: readonly Kind[] = PRODUCT_KINDS,
): Merged {
	const sayProgress = sayingProgress();
	const { accepts = () => true, ...own } = account === undefined ? {} : fromElsewhere(account);
	let rows = 0;
	return mergeCache(source, target, {
		...{ now: Date.now(), kinds, ...own },
		accepts(row) {
			rows += 1;
			sayProgress(() => `${count(rows, 'row')} copied`);
			return accepts(row);
		},
	});
}

/** Opens the cache of the project, or makes it, to take rows into it. It may be read and marked meanwhile. */
export function useOwnCache<Result>(file: string, take: (cache: DatabaseSync) => Result): Result {
	const cache = openDatabase(file, (reason) => {
		say(`The cache at ${namePath(file)} could not be used, and was set aside: ${reason}.`);
	});
	try {
		const result = take(cache);
		cache.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		return result;
	} finally {
		cache.close();
	}
}
