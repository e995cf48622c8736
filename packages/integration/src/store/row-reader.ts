import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Attachments } from './attachments.js';
import { unpack, unpackAttachments } from './pack.js';
import { isWhole } from './prove-row.js';
import type { Kind, State } from './review-store.js';

/** What is known of a value, as it lies in the file. */
export interface EntryRow {
	readonly digest: string;
	readonly fetched_at: number;
	/** When a build last asked for it, to the day. */
	readonly used_at: number;
	readonly state: State;
	readonly validators: string | null;
	readonly summary: string | null;
	/** As {@link proofOf} gives it. */
	readonly proof: number;
}

/** A value as it lies in the file. */
export interface Row extends EntryRow {
	readonly codec: number;
	readonly value: Uint8Array;
}

/** Columns of an {@link EntryRow}. */
export const ENTRY_COLUMNS = 'digest, fetched_at, used_at, state, validators, summary, proof';

/** Reads the rows of one account. A damaged row is as if it were not there. Each operation throws where SQLite does. */
export interface RowReader {
	find<Value>(kind: Kind, pid: string): (EntryRow & { readonly value: Value }) | undefined;
	/** The same with its value as it is in the file. */
	findRow(kind: Kind, pid: string): Row | undefined;
	/** What was made of a value. */
	findAttachments(kind: Kind, pid: string): Attachments | undefined;
	findEntry(kind: Kind, pid: string): EntryRow | undefined;
	/** The entries of those that have one. */
	findEntries(kind: Kind, pids: readonly string[]): readonly (EntryRow & { readonly pid: string })[];
	hasAny(kind: Kind): boolean;
}

/** @param onDamaged is told of each row that is not what was written, as often as it is read. */
export function createRowReader(
	database: DatabaseSync,
	account: string,
	onDamaged: (kind: Kind, pid: string) => void,
): RowReader {
	const row = prepareToRead(
		database,
		`SELECT ${ENTRY_COLUMNS}, codec, value FROM entries LEFT JOIN contents USING (account, kind, pid)
		WHERE account = ? AND kind = ? AND pid = ?`,
	);
	const entry = prepareToRead(
		database,
		`SELECT ${ENTRY_COLUMNS} FROM entries WHERE account = ? AND kind = ? AND pid = ?`,
	);
	const entries = prepareToRead(
		database,
		`SELECT pid, ${ENTRY_COLUMNS} FROM entries
		WHERE account = ? AND kind = ? AND pid IN (SELECT value FROM json_each(?))`,
	);
	const any = database.prepare('SELECT 1 FROM entries WHERE account = ? AND kind = ? LIMIT 1');

	const proven = <Found extends EntryRow>(kind: Kind, pid: string, found: unknown): Found | undefined => {
		if (!found) return undefined;
		const read = toRow<Found>(found);
		if (isWhole({ account, kind, pid }, read)) return read;
		onDamaged(kind, pid);
		return undefined;
	};
	const findRow = (kind: Kind, pid: string) => proven<Row>(kind, pid, row.get(account, kind, pid));
	const attempt = <Read>(kind: Kind, pid: string, read: (found: Row) => Read): Read | undefined => {
		const found = findRow(kind, pid);
		try {
			return found && read(found);
		} catch {
			onDamaged(kind, pid);
			return undefined;
		}
	};
	return {
		find: <Value>(kind: Kind, pid: string) =>
			attempt(kind, pid, (found) => ({ ...found, value: unpackRow<Value>(found) })),
		findRow,
		findAttachments: (kind, pid) =>
			attempt(kind, pid, ({ codec, value, digest }) => unpackAttachments({ codec, bytes: value, digest })),
		findEntry: (kind, pid) => proven(kind, pid, entry.get(account, kind, pid)),
		findEntries: (kind, pids) =>
			(entries.all(account, kind, JSON.stringify(pids)) as unknown as { pid: string }[]).flatMap(
				(found) => proven<EntryRow & { pid: string }>(kind, found.pid, found) ?? [],
			),
		hasAny: (kind) => any.get(account, kind) !== undefined,
	};
}

/** A statement whose rows are for {@link toRow}: a damaged number may be larger than JavaScript holds, and is no error. */
export function prepareToRead(database: DatabaseSync, sql: string): StatementSync {
	const statement = database.prepare(sql);
	statement.setReadBigInts(true);
	return statement;
}

/** Makes numbers of what was read. One that was too large is another number then, and so a damaged row. */
export function toRow<Found extends EntryRow>(read: unknown): Found {
	const row = read as Record<string, unknown>;
	for (const name of NUMBERS) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
	return row as unknown as Found;
}

const NUMBERS = ['fetched_at', 'used_at', 'proof', 'codec'] as const;

/** The value of a row. @throws Error where it is damaged, or not the row's. */
export function unpackRow<Value>({ codec, value, digest }: Pick<Row, 'codec' | 'value' | 'digest'>): Value {
	return unpack<Value>({ codec, bytes: value, digest });
}
