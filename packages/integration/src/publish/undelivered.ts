import { openExistingFile } from '../store/open-existing-file.js';
import { pack } from '../store/pack.js';
import type { ReviewStore } from '../store/review-store.js';

/** Key of the files that the command of --then has not got yet. */
const UNDELIVERED = 'undelivered';

/**
 * Adds files to those that wait for the command of --then. They wait until it succeeds, since nobody else knows of them.
 * @returns all that wait.
 */
export function addUndelivered(store: ReviewStore, files: readonly string[]): readonly string[] {
	const table = store.table<readonly string[]>('output');
	const all = [...new Set([...(table.get(UNDELIVERED)?.value ?? []), ...files])];
	if (all.length > 0) table.put(UNDELIVERED, pack(all), Date.now());
	return all;
}

/** Call when the command has succeeded. @param storeFile path of the store's file. */
export function clearUndelivered(storeFile: string): void {
	const database = openExistingFile(storeFile);
	try {
		database.prepare("DELETE FROM entries WHERE kind = 'output' AND pid = ?").run(UNDELIVERED);
	} finally {
		database.close();
	}
}
