import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { PackedBlock } from './blocks.js';
import { unpack } from './pack.js';
import type { State } from './review-store.js';

/** What identifies a row. */
export interface RowKey {
	readonly account: string;
	readonly kind: string;
	readonly pid: string;
}

/** The tables of what is known of values. Marks have one of their own. */
export const ENTRY_TABLES = ['entries', 'marks'] as const;
export type EntryTable = (typeof ENTRY_TABLES)[number];

/** Prepares something for each table. @returns what was prepared for the table of a kind */
export function byKind<Prepared>(prepare: (table: EntryTable) => Prepared): (kind: string) => Prepared {
	const prepared = { entries: prepare('entries'), marks: prepare('marks') };
	return (kind) => prepared[tableOf(kind)];
}

function tableOf(kind: string): EntryTable {
	return kind === 'mark' ? 'marks' : 'entries';
}

/** What is known of a value, as the file has it. */
export interface EntryRow {
	readonly digest: string;
	readonly fetched_at: number;
	/** When a build last asked for it, to the day. */
	readonly used_at: number;
	readonly state: State;
	readonly validators: string | null;
	readonly summary: string | null;
	/** The result of {@link proofOf}. */
	readonly proof: number;
}

/** A value, as the file has it. */
export interface Row extends EntryRow {
	readonly codec: number;
	readonly value: Uint8Array;
}

/** What is known of a value, with its key. */
export interface KeyedRow extends EntryRow, RowKey {
	/** Number of the block with what was made of the value. Its checksum does not include it: blocks prove themselves. */
	readonly block?: number | null;
}

/** Columns of an {@link EntryRow}. */
export const ENTRY_COLUMNS = 'digest, fetched_at, used_at, state, validators, summary, proof';

/**
 * The checksum of a row: its key, and everything that is known of its value. It includes the digest, which proves the value
 * itself, so a row can be checked without reading its value. A flipped bit always changes the number.
 */
export function proofOf({ account, kind, pid }: RowKey, row: Omit<EntryRow, 'proof'>): number {
	const { digest, fetched_at, used_at, state, validators, summary } = row;
	return crc32(JSON.stringify([account, kind, pid, digest, fetched_at, used_at, state, validators, summary]));
}

/** Whether a row is what was written under this key. */
export function isWhole(key: RowKey, row: EntryRow): boolean {
	return row.proof === proofOf(key, row);
}

/** Whether a row of a table is what was written there. */
export function isWholeIn(table: EntryTable, row: KeyedRow): boolean {
	return tableOf(row.kind) === table && isWhole(row, row);
}

/** A statement whose rows go through {@link toRow}: a damaged number may be too large for JavaScript, and must not throw. */
export function prepareToRead(database: DatabaseSync, sql: string): StatementSync {
	const statement = database.prepare(sql);
	statement.setReadBigInts(true);
	return statement;
}

/** Returns a function that reads a block. */
export function prepareToReadBlock(database: DatabaseSync): (block: number) => PackedBlock | undefined {
	const statement = prepareToRead(database, 'SELECT codec, value FROM blocks WHERE block = ?');
	return (block) => {
		const found = statement.get(block) as PackedBlock | undefined;
		return found && { ...found, codec: Number(found.codec) };
	};
}

/** Returns a function that adds a block, and names it in the entries of these values. */
export function prepareToAddBlock(
	database: DatabaseSync,
): (block: PackedBlock, keys: Iterable<RowKey>) => void {
	const add = database.prepare('INSERT INTO blocks (codec, value) VALUES (?, ?)');
	const name = database.prepare('UPDATE entries SET block = ? WHERE account = ? AND kind = ? AND pid = ?');
	return ({ codec, value }, keys) => {
		const block = add.run(codec, value).lastInsertRowid;
		for (const { account, kind, pid } of keys) name.run(block, account, kind, pid);
	};
}

/**
 * Converts big integers to numbers, of every column: damage may turn a text into a number. One that was too large changes,
 * and the row then counts as damaged.
 */
export function toRow<Found extends EntryRow>(read: unknown): Found {
	const row = read as Record<string, unknown>;
	for (const name of Object.keys(row)) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
	return row as unknown as Found;
}

/** The value of a row. @throws Error if it is damaged, or belongs to another row. */
export function unpackRow<Value>({ codec, value, digest }: Pick<Row, 'codec' | 'value' | 'digest'>): Value {
	return unpack<Value>({ codec, bytes: value, digest });
}
