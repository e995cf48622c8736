import { createMemoryStore } from './memory-store.js';
import type { ReviewStore } from './review-store.js';
import { openSqliteStore } from './sqlite-store.js';

/** Opens the store in its file; where that cannot be done, says so and keeps reviews in memory for this build. */
export function openStore(file: string, account: string, warn: (message: string) => void): ReviewStore {
	try {
		return openSqliteStore(file, account, warn);
	} catch (error) {
		warn(
			`The store cannot be opened: ${(error as Error).message}. Reviews are kept in memory for this build only; ` +
				'the next one asks the service for all of them. Check that the folder of the option "cacheDir" can be written.',
		);
		return createMemoryStore();
	}
}
