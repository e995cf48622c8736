import { basename } from 'node:path';
import { isUnusable } from './open-database.js';
import { openStoreFile, type StoreFile } from './open-store-file.js';
import { type Packed, unpack } from './pack.js';
import type { Kind, ReviewStore, Stored, Table } from './review-store.js';
import type { WaitingRow } from './row-writer.js';
import { setAside } from './set-aside.js';

/** Rows that one transaction writes: a hundred cost little more than one. */
const BATCH_SIZE = 100;

/**
 * The store in one SQLite file. Damage that shows only while it is read or written has the file set aside, too.
 * @param file where it lies; folders are made.
 * @param account whose reviews these are: rows of another account are never read.
 * @param warn told once of each kind of trouble; the store goes on without what it cannot do.
 * @throws Error where no file can be made at all.
 */
export function openSqliteStore(file: string, account: string, warn: (message: string) => void): ReviewStore {
	const warnSetAside = (reason: string) =>
		warn(
			`The store cannot be used (${reason}). It is now "${basename(file)}.set-aside"; a new one is built.`,
		);
	let open: StoreFile | undefined = openStoreFile(file, account, warnSetAside);
	let isRenewed = false;
	// Values that are not yet in the file; those that could not be written stay, so that the build has them.
	const waiting = new Map<string, WaitingRow>();
	let canWrite = true;
	const warned = new Set<string>();

	function renew({ message }: Error): StoreFile {
		isRenewed = true;
		open?.close();
		setAside(file);
		warnSetAside(message);
		open = openStoreFile(file, account, warnSetAside);
		return open;
	}
	/** What comes after the store was closed gets nothing. */
	function attempt<Result>(what: string, action: (file: StoreFile) => Result): Result | undefined {
		if (!open) return undefined;
		try {
			try {
				return action(open);
			} catch (error) {
				if (isRenewed || !isUnusable(error)) throw error;
				return action(renew(error));
			}
		} catch (error) {
			if (!warned.has(what))
				warn(`The store could not be ${what}: ${(error as Error).message}. The build goes on.`);
			warned.add(what);
			return undefined;
		}
	}
	const flush = () => {
		if (waiting.size === 0 || !canWrite) return;
		canWrite = attempt('written', (file) => file.write(waiting.values())) !== undefined;
		if (canWrite) waiting.clear();
	};

	return {
		table<Value>(kind: Kind): Table<Value> {
			const key = (pid: string) => `${kind} ${pid}`;
			return {
				get(pid) {
					const row = waiting.get(key(pid));
					if (row) return toStored<Value>(pid, row.fetchedAt, row.packed);
					return attempt('read', (file) => {
						const row = file.find(kind, pid);
						return row && toStored<Value>(pid, row.fetched_at, { ...row, bytes: row.value });
					});
				},
				fetchedAt: (pid) =>
					waiting.get(key(pid))?.fetchedAt ?? attempt('read', (file) => file.findTime(kind, pid)),
				digest: (pid) =>
					waiting.get(key(pid))?.packed.digest ?? attempt('read', (file) => file.findDigest(kind, pid)),
				put(pid, packed, fetchedAt) {
					if (!open) return;
					waiting.set(key(pid), { kind, pid, packed, fetchedAt });
					if (waiting.size >= BATCH_SIZE) flush();
				},
			};
		},
		flush,
		close() {
			// What could not be written may be now: another build that held the file may have let go of it.
			canWrite = true;
			flush();
			attempt('tidied', (file) => file.tidy());
			attempt('closed', (file) => file.close());
			open = undefined;
			waiting.clear();
		},
	};
}

function toStored<Value>(pid: string, fetchedAt: number, packed: Packed): Stored<Value> {
	return { pid, value: unpack<Value>(packed), digest: packed.digest, fetchedAt };
}
