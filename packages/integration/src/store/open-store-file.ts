import { openDatabase } from './open-database.js';
import { pruneRows } from './prune-rows.js';
import type { Kind, State } from './review-store.js';
import { createRowWriter } from './row-writer.js';
import { identify } from './set-aside.js';

/** What is known of a value, as it lies in the file. */
export interface EntryRow {
	readonly digest: string;
	readonly fetched_at: number;
	/** When a build last asked for it, to the day. */
	readonly used_at: number;
	readonly state: State;
	readonly validators: string | null;
	readonly summary: string | null;
}

/** A value as it lies in the file. */
export interface Row extends EntryRow {
	readonly codec: number;
	readonly value: Uint8Array;
}

/** The file of a store, open, with the rows of one account. Each operation throws where SQLite does. */
export interface StoreFile {
	/** Of the file, as {@link identify} gives it. */
	readonly identity: string | undefined;
	find(kind: Kind, pid: string): Row | undefined;
	findEntry(kind: Kind, pid: string): EntryRow | undefined;
	/** The entries of those that have one. */
	findEntries(kind: Kind, pids: readonly string[]): readonly (EntryRow & { readonly pid: string })[];
	hasAny(kind: Kind): boolean;
	/** All of it, or nothing. */
	readonly write: ReturnType<typeof createRowWriter>;
	/** Forgets what was not used since then. @returns how many products' reviews these were. */
	prune(since: number): number;
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
		`SELECT digest, fetched_at, used_at, state, validators, summary, codec, value FROM entries JOIN contents USING (account, kind, pid)
		WHERE account = ? AND kind = ? AND pid = ?`,
	);
	const entry = database.prepare(
		'SELECT digest, fetched_at, used_at, state, validators, summary FROM entries WHERE account = ? AND kind = ? AND pid = ?',
	);
	const entries = database.prepare(
		`SELECT pid, digest, fetched_at, used_at, state, validators, summary FROM entries
		WHERE account = ? AND kind = ? AND pid IN (SELECT value FROM json_each(?))`,
	);
	const any = database.prepare('SELECT 1 FROM entries WHERE account = ? AND kind = ? LIMIT 1');
	return {
		identity: identify(file),
		find: (kind, pid) => row.get(account, kind, pid) as Row | undefined,
		findEntry: (kind, pid) => entry.get(account, kind, pid) as EntryRow | undefined,
		findEntries: (kind, pids) =>
			entries.all(account, kind, JSON.stringify(pids)) as unknown as (EntryRow & { pid: string })[],
		hasAny: (kind) => any.get(account, kind) !== undefined,
		write: createRowWriter(database, account),
		prune: (since) => pruneRows(database, since),
		tidy: () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
		close: () => database.close(),
	};
}
