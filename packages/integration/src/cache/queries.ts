import type { DatabaseSync } from 'node:sqlite';
import { PARTS, type Packed } from '../records/parts.js';
import type { MarkedBy } from '../reviews/parts.js';
import { inTransaction } from './open-database.js';
import { COLLECTION, SHOP_PAGES } from './page-store.js';
import { ALL_PARTS, GET_RECORD, isIntact, markIn, type ProductRow } from './product-store.js';

/** Returns all accounts that have something in a cache, by name. Most caches have one. */
export function findAccounts(database: DatabaseSync): string[] {
	// From one to the next by the key: SQLite's DISTINCT would read every row.
	const next = database.prepare('SELECT account FROM products WHERE account > ? ORDER BY account LIMIT 1');
	const accounts: string[] = [];
	for (let row = next.get(''); row; row = next.get(row['account'] as string)) {
		accounts.push(String(row['account']));
	}
	return accounts;
}

export function findProducts(database: DatabaseSync): string[] {
	const rows = database.prepare('SELECT DISTINCT pid FROM products ORDER BY pid').all();
	return rows.map((row) => String(row['pid']));
}

export interface StoredProduct extends ProductRow, Pick<Packed, 'codec' | 'value'> {
	readonly isIntact: boolean;
}

/** Returns everything that is stored of a product, with the records. */
export function findProduct(database: DatabaseSync, pid: string): StoredProduct[] {
	const rowOf = database.prepare(GET_RECORD);
	return findAccounts(database).flatMap((account) =>
		PARTS.flatMap((part) => {
			const row = rowOf.get(account, part, pid) as unknown as Omit<StoredProduct, 'isIntact'> | undefined;
			return row ? { ...row, isIntact: isIntact(row) } : [];
		}),
	);
}

export interface ListedPart extends Pick<ProductRow, 'account' | 'part' | 'pid' | 'state' | 'fetched_at'> {
	readonly bytes: number;
}

/** Returns every stored record of products, by account, part and product ID. Records are not read. */
export function listParts(database: DatabaseSync, max = -1): Iterable<ListedPart> {
	const rows = database.prepare(
		`SELECT account, part, pid, state, fetched_at, coalesce(length(value), 0) AS bytes
		FROM products LEFT JOIN payloads USING (account, part, pid) WHERE part <> 'rating'
		ORDER BY account, part DESC, pid LIMIT ?`,
	);
	return rows.iterate(max) as unknown as Iterable<ListedPart>;
}

/** Tells what the pages of the last build show. */
export interface BuiltPages {
	/** Products that pages asked for, whether there was anything to show or not. */
	readonly asked: readonly string[];
	/** `true` if a page shows the texts of reviews. */
	readonly hasReviews: boolean;
	/** `true` if a page has a <ReviewSchema>, or own markup that may be one. */
	readonly mayHaveSchema: boolean;
}

/**
 * Reads what pages show.
 * @param site their output folder: see `siteOf`.
 * @returns `undefined` if the cache has no pages of a build that finished.
 */
export function readBuiltPages(database: DatabaseSync, site: string): BuiltPages | undefined {
	const has = (sql: string) => database.prepare(sql).get(site) !== undefined;
	if (!has('SELECT 1 FROM builds WHERE site = ?')) return undefined;
	const rows = database
		.prepare(
			`SELECT DISTINCT pid FROM page_products WHERE site = ?
			AND EXISTS (SELECT 1 FROM json_each(pages) WHERE value NOT IN (SELECT value FROM json_each(?)))`,
		)
		.all(site, JSON.stringify([COLLECTION, ...Object.values(SHOP_PAGES)]));
	// Facts come after requests, which may be of products without anything to show.
	const shows = (component: string) => `row LIKE '%"facts":[%"component":"${component}"%'`;
	return {
		asked: rows.map((row) => String(row['pid'])),
		hasReviews: has(
			`SELECT 1 FROM pages WHERE site = ? AND (${shows('ProductReviews')} OR ${shows('ReviewList')})`,
		),
		mayHaveSchema: has(
			`SELECT 1 FROM pages WHERE site = ? AND (row LIKE '%"component":"ReviewSchema"%' OR ${shows('own-markup')})`,
		),
	};
}

/** Counts of products, of their records (a product has one or two), and of some of those. */
export type Totals = Readonly<Record<'products' | 'records' | 'reviewData' | 'stale' | 'bytes', number>>;

export function countParts(database: DatabaseSync): Totals {
	return database
		.prepare(
			`SELECT count(*) AS records, count(*) FILTER (WHERE part = 'review-data') AS reviewData,
				count(*) FILTER (WHERE state = 'stale') AS stale, coalesce(sum(length(value)), 0) AS bytes,
				(SELECT count(*) FROM (SELECT DISTINCT account, pid FROM products WHERE part <> 'rating')) AS products
			FROM products LEFT JOIN payloads USING (account, part, pid) WHERE part <> 'rating'`,
		)
		.get() as unknown as Totals;
}

/** Deletes everything that is stored of products, of all accounts. @returns products of which there was nothing. */
export function deleteProducts(database: DatabaseSync, pids: readonly string[]): string[] {
	const ofPart = ['payloads', 'products'].map((table) =>
		database.prepare(`DELETE FROM ${table} WHERE account = ? AND part = ? AND pid = ?`),
	);
	const mark = database.prepare('DELETE FROM marks WHERE account = ? AND pid = ?');
	return inTransaction(database, () => {
		const accounts = findAccounts(database);
		return pids.filter((pid) => {
			let changes = 0;
			for (const account of accounts) {
				for (const part of PARTS)
					for (const removal of ofPart) changes += Number(removal.run(account, part, pid).changes);
				mark.run(account, pid);
			}
			return changes === 0;
		});
	});
}

/**
 * Marks products as changed, for every account that has them.
 * @param by whose word it is: only a person's lets a build accept that many products have lost their reviews.
 * @returns products of which there is nothing.
 */
export function markProducts(database: DatabaseSync, pids: readonly string[], by: MarkedBy): string[] {
	const has = database.prepare(
		'SELECT 1 FROM products WHERE account = ? AND part IN (SELECT value FROM json_each(?)) AND pid = ?',
	);
	return inTransaction(database, () => {
		const accounts = findAccounts(database);
		return pids.filter((pid) => {
			const owners = accounts.filter((account) => has.get(account, ALL_PARTS, pid));
			for (const account of owners) markIn(database, account, [pid], by);
			return owners.length === 0;
		});
	});
}
