import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import {
	CLOCK_TOLERANCE,
	PRODUCT_KINDS,
	RESOURCES,
	type Resource,
	SENT_KINDS,
	type State,
} from './review-cache.js';
import { packConfirmed } from './values.js';

export interface RowKey {
	readonly account: string;
	readonly kind: string;
	readonly pid: string;
}

export interface EntryRow {
	readonly digest: string;
	readonly fetched_at: number;
	readonly used_at: number;
	readonly state: State;
	readonly validators: string | null;
	readonly summary: string | null;
	readonly proof: number;
}

export interface Row extends EntryRow {
	readonly codec: number;
	readonly value: Uint8Array;
}

export interface KeyedRow extends EntryRow, RowKey {}

/** Columns of an {@link EntryRow}. */
const ENTRY_COLUMNS = 'digest, fetched_at, used_at, state, validators, summary, proof';

/**
 * The checksum of a row: its key, and everything that is known of its value. It includes the digest, which proves the
 * value itself, so a row can be checked without reading its value. A flipped bit always changes the number.
 */
function proofOf({ account, kind, pid }: RowKey, row: Omit<EntryRow, 'proof'>): number {
	const { digest, fetched_at, used_at, state, validators, summary } = row;
	return crc32(JSON.stringify([account, kind, pid, digest, fetched_at, used_at, state, validators, summary]));
}

function isWhole(key: RowKey, row: EntryRow): boolean {
	return row.proof === proofOf(key, row);
}

/** Runs an action in a transaction, which is rolled back if it throws. Waits while another process writes. */
export function inTransaction<Result>(database: DatabaseSync, action: () => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = action();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		try {
			database.exec('ROLLBACK');
		} catch {
			// After some errors, such as a full disk, SQLite has ended the transaction itself.
		}
		throw error;
	}
}

/** Reads and writes rows by their key. Each operation throws what SQLite throws. */
export type Rows = ReturnType<typeof prepareRows>;

export function prepareRows(database: DatabaseSync, onDamaged: (key: RowKey) => void = () => {}) {
	const ofProduct = 'WHERE account = ? AND kind = ? AND pid = ?';
	const getEntry = database.prepare(`SELECT ${ENTRY_COLUMNS} FROM entries ${ofProduct}`);
	const getEntries = database.prepare(
		`SELECT account, kind, pid, ${ENTRY_COLUMNS} FROM entries
		WHERE account = ? AND kind = ? AND pid IN (SELECT value FROM json_each(?))`,
	);
	const getAny = database.prepare('SELECT 1 FROM entries WHERE account = ? AND kind = ? LIMIT 1');
	const getPids = database.prepare('SELECT pid FROM entries WHERE account = ? AND kind = ?');
	const removeEntry = database.prepare(`DELETE FROM entries ${ofProduct}`);
	const putEntry = database.prepare(
		`INSERT OR REPLACE INTO entries (account, kind, pid, ${ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const getRow = database.prepare(
		`SELECT ${ENTRY_COLUMNS}, codec, value FROM entries LEFT JOIN contents USING (account, kind, pid) ${ofProduct}`,
	);
	const putContent = database.prepare(
		`INSERT INTO contents (account, kind, pid, codec, value) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (account, kind, pid) DO UPDATE SET codec = excluded.codec, value = excluded.value`,
	);
	const show = database.prepare('INSERT OR IGNORE INTO shown (account, pid, page) VALUES (?, ?, ?)');
	const whole = <Found extends EntryRow>(key: RowKey, row: Found): Found | undefined => {
		if (isWhole(key, row)) return row;
		onDamaged(key);
		return undefined;
	};
	return {
		entry(key: RowKey): EntryRow | undefined {
			const found = getEntry.get(key.account, key.kind, key.pid);
			return found && whole(key, found as unknown as EntryRow);
		},
		entries(account: string, kind: string, pids: readonly string[]): KeyedRow[] {
			const found = getEntries.all(account, kind, JSON.stringify(pids)) as unknown as KeyedRow[];
			return found.filter((row) => whole(row, row));
		},
		/** A row and its value; `undefined` if it is damaged or not there. */
		read<Value>(key: RowKey, open: (row: Row) => Value) {
			const found = getRow.get(key.account, key.kind, key.pid) as unknown as Row | undefined;
			const row = found && whole(key, found);
			if (!row) return undefined;
			try {
				return { row, value: open(row) };
			} catch {
				onDamaged(key);
				return undefined;
			}
		},
		/** Removes a row, unless it is whole by now: nobody may write one under its key, such as a mark. */
		removeDamaged(key: RowKey): void {
			const found = getEntry.get(key.account, key.kind, key.pid);
			if (found && !isWhole(key, found as unknown as EntryRow)) {
				removeEntry.run(key.account, key.kind, key.pid);
			}
		},
		hasAny: (account: string, kind: string) => getAny.get(account, kind) !== undefined,
		pids: (account: string, kind: string) => getPids.all(account, kind).map(({ pid }) => String(pid)),
		put(key: RowKey, row: Omit<EntryRow, 'proof'>, packed?: Pick<Row, 'codec' | 'value'>): void {
			const { account, kind, pid } = key;
			const { digest, fetched_at, used_at, state, validators, summary } = row;
			const known = [digest, fetched_at, used_at, state, validators, summary, proofOf(key, row)] as const;
			putEntry.run(account, kind, pid, ...known);
			if (packed) putContent.run(account, kind, pid, packed.codec, packed.value);
		},
		show: (account: string, pid: string, page: string) => void show.run(account, pid, page),
	};
}

/** Whether a row is newer than one of this time. One from the future is not: its clock was wrong. */
export function isNewer(row: EntryRow | undefined, fetchedAt: number): boolean {
	return row !== undefined && row.fetched_at > fetchedAt && row.fetched_at <= fetchedAt + CLOCK_TOLERANCE;
}

/** Deletes every value that was not used since then, of all accounts. */
export function pruneRows(database: DatabaseSync, since: number): number {
	const unused = "SELECT count(*) AS count FROM entries WHERE used_at < ? AND kind = 'reviews'";
	return inTransaction(database, () => {
		const { count } = database.prepare(unused).get(since) as { count: number };
		const unusedRows = 'SELECT account, kind, pid FROM entries WHERE used_at < ?';
		database.prepare(`DELETE FROM contents WHERE (account, kind, pid) IN (${unusedRows})`).run(since);
		database.prepare('DELETE FROM entries WHERE used_at < ?').run(since);
		database.exec(`DELETE FROM shown WHERE NOT EXISTS (
			SELECT 1 FROM entries WHERE entries.account = shown.account AND kind = 'page' AND entries.pid = page
		)`);
		return count;
	});
}

/** All accounts that have something in a cache, by name. Most caches have one. */
export function findAccounts(database: DatabaseSync): string[] {
	// From one to the next by the key: SQLite's DISTINCT would read every row.
	const next = database.prepare('SELECT account FROM entries WHERE account > ? ORDER BY account LIMIT 1');
	const accounts: string[] = [];
	for (let row = next.get(''); row; row = next.get(row['account'] as string)) {
		accounts.push(String(row['account']));
	}
	return accounts;
}

export function findProducts(database: DatabaseSync): string[] {
	const rows = database
		.prepare(`SELECT DISTINCT pid FROM entries WHERE kind IN (${listOf(SENT_KINDS)}) ORDER BY pid`)
		.all();
	return rows.map((row) => String(row['pid']));
}

export interface ProductValue extends Row {
	readonly account: string;
	readonly kind: (typeof PRODUCT_KINDS)[number];
	readonly isWhole: boolean;
}

export function findProduct(
	database: DatabaseSync,
	accounts: readonly string[],
	pid: string,
): ProductValue[] {
	const rowOf = database.prepare(
		`SELECT account, kind, ${ENTRY_COLUMNS}, codec, value FROM entries JOIN contents USING (account, kind, pid)
		WHERE account = ? AND kind = ? AND pid = ?`,
	);
	type Found = Omit<ProductValue, 'isWhole'> | undefined;
	const found = accounts.flatMap((account) =>
		PRODUCT_KINDS.map((kind) => rowOf.get(account, kind, pid) as unknown as Found),
	);
	return found.flatMap((row) => (row ? { ...row, isWhole: isWhole({ ...row, pid }, row) } : []));
}

export interface ProductRow {
	readonly account: string;
	readonly kind: Resource;
	readonly pid: string;
	readonly state: State;
	readonly fetched_at: number;
	readonly bytes: number;
}

/** Every stored value of products, by account, kind and product ID. Values are not read. */
export function productRows(
	database: DatabaseSync,
	max: number = Number.POSITIVE_INFINITY,
): Iterable<ProductRow> {
	const rows = database.prepare(
		`SELECT entries.account, entries.kind, entries.pid, state, fetched_at, coalesce(length(value), 0) AS bytes
		FROM entries LEFT JOIN contents USING (account, kind, pid) WHERE entries.kind IN (${listOf(RESOURCES)})
		ORDER BY entries.account, entries.kind DESC, entries.pid LIMIT ?`,
	);
	return rows.iterate(Number.isFinite(max) ? max : -1) as unknown as Iterable<ProductRow>;
}

export interface ProductTotals {
	readonly products: number;
	/** Values of products. A product has one or two. */
	readonly values: number;
	readonly reviewData: number;
	readonly stale: number;
	readonly bytes: number;
}

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

/**
 * Marks products as changed, for every account that has them. The answer of the service is believed even if many
 * products have lost their reviews.
 */
export function markProducts(database: DatabaseSync, pids: readonly string[], now: number): string[] {
	const rows = prepareRows(database);
	const accounts = findAccounts(database);
	const { summary = null, ...packed } = packConfirmed();
	const used = { fetched_at: now, used_at: now, state: 'fetched', validators: null } as const;
	return inTransaction(database, () =>
		pids.filter((pid) => {
			const owners = accounts.filter((account) =>
				SENT_KINDS.some((kind) => rows.entry({ account, kind, pid })),
			);
			for (const account of owners) {
				const key = { account, kind: 'mark', pid };
				if (!isNewer(rows.entry(key), now))
					rows.put(key, { digest: packed.digest, summary, ...used }, packed);
			}
			return owners.length === 0;
		}),
	);
}
