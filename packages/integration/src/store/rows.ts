import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { PackedBlock } from './blocks.js';
import { PRODUCT_KINDS, RESOURCES, type Resource, SENT_KINDS, type State } from './review-store.js';
import { NO_VALUE, unpack } from './values.js';

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

/** Runs an action in a transaction, which is rolled back if it throws. Waits while another process writes. */
export function inTransaction<Result>(database: DatabaseSync, action: () => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = action();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		rollBack(database);
		throw error;
	}
}

/** After some errors, such as a full disk, SQLite has ended the transaction itself. The first error is the one to report. */
function rollBack(database: DatabaseSync): void {
	try {
		database.exec('ROLLBACK');
	} catch {
		// The transaction has already ended.
	}
}

/**
 * The id in a mark of all products. A mark says that a product has changed since it was fetched. If a mark is lost, it may
 * have been any product's, so all of them are marked. No product has this id.
 */
export const ALL_PRODUCTS = '';

/** Whether every mark of any account that was written can be found. */
export function canFindMarks(database: DatabaseSync): boolean {
	return database
		.prepare('PRAGMA integrity_check(marks)')
		.all()
		.every((result) => result['integrity_check'] === 'ok');
}

/** A mark of all products of an account. @param now milliseconds since 1970. */
export function markOfAll(account: string, now: number): KeyedRow {
	const key = { account, kind: 'mark', pid: ALL_PRODUCTS };
	const row = {
		digest: NO_VALUE.digest,
		fetched_at: now,
		used_at: now,
		state: 'fetched',
		validators: null,
		summary: null,
	} as const;
	return { ...key, ...row, proof: proofOf(key, row) };
}

/** All accounts that have something in a store, by name. Most stores have one. */
export function findAccounts(database: DatabaseSync): string[] {
	// From one to the next by the key: SQLite's DISTINCT would read every row.
	const next = database.prepare('SELECT account FROM entries WHERE account > ? ORDER BY account LIMIT 1');
	const accounts: string[] = [];
	for (let row = next.get(''); row; row = next.get(row['account'] as string)) {
		accounts.push(String(row['account']));
	}
	return accounts;
}

/** Every product of which some account has something that the service sent. */
export function findProducts(database: DatabaseSync): string[] {
	const rows = database
		.prepare(`SELECT DISTINCT pid FROM entries WHERE kind IN (${listOf(SENT_KINDS)}) ORDER BY pid`)
		.all();
	return rows.map((row) => String(row['pid']));
}

/** Returns a function that lists the accounts with something of a product that the service sent. */
export function findOwners(database: DatabaseSync): (pid: string) => string[] {
	const accounts = findAccounts(database);
	const entry = database.prepare('SELECT 1 FROM entries WHERE account = ? AND kind = ? AND pid = ?');
	return (pid) =>
		accounts.filter((account) => SENT_KINDS.some((kind) => entry.get(account, kind, pid) !== undefined));
}

/** One stored value of a product, with its account. */
export interface ProductValue extends Row {
	readonly account: string;
	readonly kind: (typeof PRODUCT_KINDS)[number];
	/** Whether it is what was written. */
	readonly isWhole: boolean;
}

/** Everything that a store has of a product for these accounts. */
export function findProduct(
	database: DatabaseSync,
	accounts: readonly string[],
	pid: string,
): ProductValue[] {
	const rowOf = byKind((table) =>
		prepareToRead(
			database,
			`SELECT account, kind, ${ENTRY_COLUMNS}, codec, value FROM ${table} JOIN contents USING (account, kind, pid)
			WHERE account = ? AND kind = ? AND pid = ?`,
		),
	);
	return accounts
		.flatMap((account) => PRODUCT_KINDS.map((kind) => rowOf(kind).get(account, kind, pid)))
		.filter((found) => found !== undefined)
		.map((found) => {
			const value = toRow<Row & Pick<ProductValue, 'account' | 'kind'>>(found);
			return { ...value, isWhole: isWhole({ ...value, pid }, value) };
		});
}

/** What is known of a stored product without reading its value. */
export interface ProductRow {
	readonly account: string;
	readonly kind: Resource;
	readonly pid: string;
	readonly state: State;
	/** Milliseconds since 1970. */
	readonly fetched_at: number;
	/** Of the compressed value. */
	readonly bytes: number;
}

/** Rows read at once. One long read would hold up builds for as long as somebody pages through the output. */
const BATCH = 500;

const PRODUCT_ROWS = `SELECT entries.account, entries.kind, entries.pid, state, fetched_at, coalesce(length(value), 0) AS bytes
	FROM entries LEFT JOIN contents USING (account, kind, pid)
	WHERE entries.account = ? AND entries.kind = ?`;

/** Every stored value of the products of these accounts, by account, kind and product id. Values are not read. */
export function* productRows(
	database: DatabaseSync,
	accounts: readonly string[],
	most = Number.POSITIVE_INFINITY,
): Iterable<ProductRow> {
	const first = database.prepare(`${PRODUCT_ROWS} ORDER BY entries.pid LIMIT ?`);
	const next = database.prepare(`${PRODUCT_ROWS} AND entries.pid > ? ORDER BY entries.pid LIMIT ?`);
	let left = most;
	for (const account of accounts) {
		for (const kind of RESOURCES) {
			let last: string | undefined;
			while (left > 0) {
				const size = Math.min(BATCH, left);
				const rows = (last === undefined
					? first.all(account, kind, size)
					: next.all(account, kind, last, size)) as unknown as ProductRow[];
				yield* rows;
				left -= rows.length;
				last = rows.at(-1)?.pid;
				if (rows.length < size) break;
			}
		}
	}
}

/** What a store has of products, over all accounts. */
export interface ProductTotals {
	readonly products: number;
	/** Values of products. A product has one or two. */
	readonly values: number;
	/** How many of the values are review data. */
	readonly reviewData: number;
	readonly stale: number;
	/** Of all compressed values. */
	readonly bytes: number;
}

/** Counts everything that {@link productRows} yields. */
export function productTotals(database: DatabaseSync): ProductTotals {
	const kinds = listOf(RESOURCES);
	return database
		.prepare(
			`SELECT count(*) AS "values", count(*) FILTER (WHERE kind = 'review-data') AS reviewData,
				count(*) FILTER (WHERE state = 'stale') AS stale, coalesce(sum(length(value)), 0) AS bytes,
				(SELECT count(*) FROM (SELECT DISTINCT account, pid FROM entries WHERE kind IN (${kinds}))) AS products
			FROM entries LEFT JOIN contents USING (account, kind, pid) WHERE kind IN (${kinds})`,
		)
		.get() as unknown as ProductTotals;
}

function listOf(kinds: readonly string[]): string {
	return kinds.map((kind) => `'${kind}'`).join(', ');
}
