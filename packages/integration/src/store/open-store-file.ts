import { openDatabase } from './open-database.js';
import type { Kind } from './review-store.js';
import { createRowWriter, type WaitingRow } from './row-writer.js';

/** A value as it lies in the file. */
interface Row {
	readonly digest: string;
	readonly fetched_at: number;
	readonly codec: number;
	readonly value: Uint8Array;
}

/** The file of a store, open, with the rows of one account. Each operation throws where SQLite does. */
export interface StoreFile {
	find(kind: Kind, pid: string): Row | undefined;
	findTime(kind: Kind, pid: string): number | undefined;
	findDigest(kind: Kind, pid: string): string | undefined;
	/** All of the rows, or none. */
	write(rows: Iterable<WaitingRow>): true;
	/** Folds the log into the file, so that a CI cache archives one file. */
	tidy(): void;
	close(): void;
}

/** Opens the file of a store, as {@link openDatabase} does. */
export function openStoreFile(
	file: string,
	account: string,
	onSetAside: (reason: string) => void,
): StoreFile {
	const database = openDatabase(file, onSetAside);
	const row = database.prepare(
		'SELECT digest, fetched_at, codec, value FROM reviews WHERE account = ? AND resource = ? AND pid = ?',
	);
	const time = database.prepare(
		'SELECT fetched_at FROM reviews WHERE account = ? AND resource = ? AND pid = ?',
	);
	const digest = database.prepare(
		'SELECT digest FROM reviews WHERE account = ? AND resource = ? AND pid = ?',
	);
	return {
		findDigest: (kind, pid) => (digest.get(account, kind, pid) as Pick<Row, 'digest'> | undefined)?.digest,
		find: (kind, pid) => row.get(account, kind, pid) as Row | undefined,
		findTime: (kind, pid) =>
			(time.get(account, kind, pid) as Pick<Row, 'fetched_at'> | undefined)?.fetched_at,
		write: createRowWriter(database, account),
		tidy: () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
		close: () => database.close(),
	};
}
