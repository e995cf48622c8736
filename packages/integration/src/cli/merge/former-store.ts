import { rm } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { mergeStore } from '../../store/merge-store.js';
import { openDatabase } from '../../store/open-database.js';
import { openExistingFile } from '../../store/open-existing-file.js';
import { replaceFile } from './replace.js';

/** The store that a merge replaces. */
export interface FormerStore {
	/** Whether it has something to take. */
	readonly isUsable: boolean;
	/**
	 * Puts the joined store in its place, and then adds what other processes have marked in the former one meanwhile.
	 * @param now milliseconds since 1970.
	 */
	replace(now: number): Promise<void>;
	close(): void;
}

/** Opens the store that is at this place, if there is one that can be used. It can be read even when it is replaced. */
export function openFormerStore(file: string): FormerStore {
	const former = tryToOpen(file);
	return {
		isUsable: former !== undefined,
		async replace(now) {
			// A log would be taken for that of the new file.
			former?.exec(FOLD_LOG);
			for (const end of ['-wal', '-shm']) await rm(file + end, { force: true });
			await replaceFile(file);
			if (former) takeMarks(former, file, now);
		},
		close: () => former?.close(),
	};
}

const FOLD_LOG = 'PRAGMA wal_checkpoint(TRUNCATE)';

function tryToOpen(file: string): DatabaseSync | undefined {
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(file);
		database.exec(FOLD_LOG);
		return database;
	} catch {
		database?.close();
		return undefined;
	}
}

function takeMarks(former: DatabaseSync, file: string, now: number): void {
	const database = openDatabase(file, () => {});
	try {
		mergeStore(former, database, { now, kinds: ['mark'] });
		database.exec(FOLD_LOG);
	} finally {
		database.close();
	}
}
