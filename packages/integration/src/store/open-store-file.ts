import { mendRows } from './mend-rows.js';
import { openDatabase } from './open-database.js';
import { pruneRows } from './prune-rows.js';
import type { Kind } from './review-store.js';
import { createRowReader, type RowReader } from './row-reader.js';
import { createRowWriter } from './row-writer.js';
import { identify } from './set-aside.js';

/** The file of a store, open, with the rows of one account. Each operation throws where SQLite does. */
export interface StoreFile extends RowReader {
	/** Of the file, as {@link identify} gives it. */
	readonly identity: string | undefined;
	/** All of it, or nothing. */
	readonly write: ReturnType<typeof createRowWriter>;
	/** Takes damaged rows of all accounts out, as {@link mendRows} does. @returns which these were. */
	mend: (hasDamage: boolean) => ReturnType<typeof mendRows>;
	/** Forgets what was not used since then. @returns how many products' reviews these were. */
	prune(since: number): number;
	/** Folds the log into the file, so that a CI cache archives one file. */
	tidy(): void;
	close(): void;
}

/** What the one who opens a file hears of it. */
export interface StoreFileEvents {
	/** It could not be used, and another one was made. */
	onSetAside(reason: string): void;
	/** A row of it is not what was written. */
	onDamaged(kind: Kind, pid: string): void;
}

/** Opens the file of a store, as {@link openDatabase} does. */
export function openStoreFile(file: string, account: string, events: StoreFileEvents): StoreFile {
	const database = openDatabase(file, events.onSetAside);
	return {
		identity: identify(file),
		...createRowReader(database, account, events.onDamaged),
		write: createRowWriter(database, account),
		mend: (hasDamage) => mendRows(database, hasDamage),
		prune: (since) => pruneRows(database, since),
		tidy: () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
		close: () => database.close(),
	};
}
