import { basename } from 'node:path';
import { openDatabase } from './open-database.js';
import { unpack } from './pack.js';
import type { Resource, ReviewStore, Stored, Table } from './review-store.js';
import { createRowWriter, type WaitingRow } from './row-writer.js';

/** Rows that one transaction writes: a hundred cost little more than one. */
const BATCH_SIZE = 100;

interface Row {
	digest: string;
	fetched_at: number;
	codec: number;
	value: Uint8Array;
}

/**
 * The store in one SQLite file.
 * @param file where it lies; folders are made.
 * @param account whose reviews these are: rows of another account are never read.
 * @param warn told once of each kind of trouble; the store goes on without what it cannot do.
 * @throws Error where no file can be made at all.
 */
export function openSqliteStore(file: string, account: string, warn: (message: string) => void): ReviewStore {
	const database = openDatabase(file, (reason) =>
		warn(
			`The store cannot be used (${reason}). It is now "${basename(file)}.set-aside"; a new one is built.`,
		),
	);
	const select = database.prepare(
		'SELECT digest, fetched_at, codec, value FROM reviews WHERE account = ? AND resource = ? AND pid = ?',
	);
	const selectTime = database.prepare(
		'SELECT fetched_at FROM reviews WHERE account = ? AND resource = ? AND pid = ?',
	);
	const write = createRowWriter(database, account);
	// Values that are not yet in the file; those that could not be written stay, so that the build has them.
	const waiting = new Map<string, WaitingRow>();
	let canWrite = true;
	const warned = new Set<string>();
	const attempt = <Result>(what: string, action: () => Result): Result | undefined => {
		try {
			return action();
		} catch (error) {
			if (!warned.has(what))
				warn(`The store could not be ${what}: ${(error as Error).message}. The build goes on.`);
			warned.add(what);
			return undefined;
		}
	};
	const flush = () => {
		if (waiting.size === 0 || !canWrite) return;
		canWrite = attempt('written', () => write(waiting.values())) !== undefined;
		if (canWrite) waiting.clear();
	};

	return {
		table<Value>(resource: Resource): Table<Value> {
			const key = (pid: string) => `${resource} ${pid}`;
			return {
				get(pid) {
					const row = waiting.get(key(pid));
					if (row) return toStored<Value>(pid, row.packed.digest, row.fetchedAt, row.packed);
					return attempt('read', () => {
						const row = select.get(account, resource, pid) as Row | undefined;
						return (
							row && toStored<Value>(pid, row.digest, row.fetched_at, { codec: row.codec, bytes: row.value })
						);
					});
				},
				fetchedAt(pid) {
					const row = waiting.get(key(pid));
					if (row) return row.fetchedAt;
					return attempt('read', () => {
						const row = selectTime.get(account, resource, pid) as Pick<Row, 'fetched_at'> | undefined;
						return row?.fetched_at;
					});
				},
				put(pid, packed, fetchedAt) {
					waiting.set(key(pid), { resource, pid, packed, fetchedAt });
					if (waiting.size >= BATCH_SIZE) flush();
				},
			};
		},
		flush,
		close() {
			flush();
			// Folds the log into the file, so that a CI cache archives one file.
			attempt('tidied', () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
			attempt('closed', () => database.close());
		},
	};
}

function toStored<Value>(
	pid: string,
	digest: string,
	fetchedAt: number,
	packed: Parameters<typeof unpack>[0],
): Stored<Value> {
	return { pid, value: unpack<Value>(packed), digest, fetchedAt };
}
