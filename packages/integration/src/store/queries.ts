import type { DatabaseSync } from 'node:sqlite';
import { PRODUCT_KINDS, RESOURCES, type Resource, SENT_KINDS, type State } from './review-store.js';
import { byKind, ENTRY_COLUMNS, isWhole, prepareToRead, type Row, toRow } from './rows.js';

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
