import { type BlockReader, createBlockReader } from './block-reader.js';
import { openDatabase } from './open-database.js';
import type { Kind } from './review-store.js';
import { createRowReader, type RowReader } from './row-reader.js';
import { type Damage, deletePages, mendMarks, mendRows, pruneRows, renewIndex } from './row-upkeep.js';
import { createRowWriter, type WriteRows } from './row-writer.js';
import { identify } from './set-aside.js';

/** The open file of a store, with the rows of one account. Each operation throws what SQLite throws. */
export interface StoreFile extends RowReader {
	/** The result of {@link identify} for the file. */
	readonly identity: string | undefined;
	readonly findAttachments: BlockReader['find'];
	readonly readAttachments: BlockReader['read'];
	readonly write: WriteRows;
	/** Removes damaged rows, as {@link mendRows} does, unless everything was found: then no damaged key hides anything. */
	mend(hasDamage: boolean, now: number): Damage;
	/** Looks for lost marks, as {@link mendMarks} does. */
	mendMarks(now: number): Damage;
	/** Deletes unused rows, as {@link pruneRows} does. */
	prune(since: number): number;
	deletePages(names: readonly string[]): void;
	/** Folds the log into the file, so a CI cache archives one file. */
	tidy(): void;
	close(): void;
}

/** Callbacks about the state of a file. */
export interface StoreFileEvents {
	/** The file could not be used, and a new one was made. */
	onSetAside(reason: string): void;
	/** A row is not what was written. */
	onDamaged(kind: Kind, pid: string): void;
}

/** Opens the file of a store, as {@link openDatabase} does. */
export function openStoreFile(file: string, account: string, events: StoreFileEvents): StoreFile {
	const database = openDatabase(file, events.onSetAside);
	const blocks = createBlockReader(database, account);
	const write = createRowWriter(database, account);
	let isDamaged = false;
	let hasMissed = false;
	const reader = createRowReader(database, account, {
		onDamaged(kind, pid) {
			isDamaged = true;
			events.onDamaged(kind, pid);
		},
		onMissing(kind) {
			// Marks are always mended, and most sites keep no output.
			hasMissed ||= kind !== 'mark' && kind !== 'output';
		},
	});
	return {
		identity: identify(file),
		...reader,
		findAttachments: blocks.find,
		readAttachments: blocks.read,
		write(...waiting) {
			blocks.clear();
			if (isDamaged) renewIndex(database);
			isDamaged = false;
			return write(...waiting);
		},
		mend: (hasDamage, now) =>
			hasDamage || hasMissed ? mendRows(database, hasDamage, now) : mendMarks(database, now),
		mendMarks: (now) => mendMarks(database, now),
		prune: (since) => pruneRows(database, since),
		deletePages: (names) => deletePages(database, account, names),
		tidy: () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
		close: () => database.close(),
	};
}
