import { reasonOf } from '../text/words.js';
import { createMemoryStore } from './memory-store.js';
import type { ReviewStore } from './review-store.js';
import { openSqliteStore } from './sqlite-store.js';

/** Opens the store in its file. If that fails, it warns, and keeps reviews in memory for this build. */
export function openStore(
	file: string,
	account: string,
	warn: (message: string) => void,
	now: () => number = Date.now,
): ReviewStore {
	try {
		return openSqliteStore(file, account, warn, now);
	} catch (error) {
		warn(
			`The store cannot be opened: ${reasonOf(error)}. Reviews are kept in memory for this build only; ` +
				'the next one asks the service for all of them. Check that the folder of the option "cacheDir" can be written. [PR_STORE_UNUSABLE]',
		);
		return createMemoryStore();
	}
}
