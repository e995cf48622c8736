import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isUnusable, openExistingFile, sizeOfStore } from '../store/open-database.js';
import { findProduct, unpackRow } from '../store/rows.js';
import { age, count, plainLine, reasonOf, size } from '../text/words.js';
import type { Findings } from './findings.js';
import { namePath } from './terminal.js';

/** What is cached of a product. Times are milliseconds since 1970. */
export interface CachedProduct {
	readonly fetchedAt: number;
	readonly state: string;
	/** Ratings; 0 for a product without reviews. */
	readonly count: number;
	readonly average: number;
	/** Whether it can be read. */
	readonly isWhole: boolean;
}

/** What a cache has of this website id. */
export interface FoundCache {
	readonly stale: number;
	readonly oldest: number | undefined;
	readonly newest: number | undefined;
	/** Products that are marked as changed, and were not fetched since. */
	readonly marks: { readonly products: number; readonly oldest: number } | undefined;
	/** The product that was asked for, or any; `undefined` if there is none. */
	readonly pid: string | undefined;
	readonly cached: CachedProduct | undefined;
}

/**
 * Checks whether the cache is there, whole, and of this website id.
 * @param account `undefined` if the website id is not set.
 * @returns `undefined` if it cannot be read.
 */
export function checkCache(
	found: Findings,
	file: string,
	account: string | undefined,
	pid: string | undefined,
): FoundCache | undefined {
	const { warning, problem } = found.in('Cache');
	const name = namePath(file);
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(file);
		return readCache(found, database, file, account, pid);
	} catch (error) {
		const { code, syscall, message } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT') {
			warning('File', `There is no cache at ${name}: nothing was built here yet.`, {
				code: 'PR_CACHE_MISSING',
				next: 'Run "npx astro build".',
			});
		} else {
			const reason = isUnusable(error) || syscall === undefined ? message : reasonOf(error);
			problem('File', `${name} cannot be used: ${plainLine(reason, 300)}.`, {
				code: 'PR_CACHE_UNUSABLE',
				next: 'Build again: a damaged file is set aside, and a new one made.',
			});
		}
		return undefined;
	} finally {
		database?.close();
	}
}

function readCache(
	found: Findings,
	database: DatabaseSync,
	file: string,
	account: string | undefined,
	given: string | undefined,
): FoundCache {
	const { ok, warning } = found.in('Cache');
	const get = (sql: string) =>
		database.prepare(sql).get({ account: account ?? '' }) as Record<string, number | null>;
	const { products, stale, others, oldest, newest } = get(COUNT_PRODUCTS);
	const range = (one: number, other: number) =>
		[...new Set([one, other].map((time) => age(Date.now() - time)))].join(' to ');
	ok('File', `${namePath(file)}, ${size(sizeOfStore(file))}`);
	const ages = oldest && newest ? `, fetched ${range(newest, oldest)} ago` : '';
	if (account !== undefined) ok('Products', `${count(products ?? 0, 'product')}${ages}`);
	if (account !== undefined && !products && others) {
		warning('Account', `It has only ${count(others, 'product')} of another website id or address.`, {
			next: 'Check the address and the website id, or build once with the new ones.',
		});
	}
	if (existsSync(`${file}.set-aside`)) {
		const text = `An earlier cache could not be used, and was renamed to ${namePath(`${file}.set-aside`)}.`;
		warning('Set aside', text, {
			code: 'PR_CACHE_UNUSABLE',
			next: 'Check the disk and the CI cache, then delete that file.',
		});
	}
	const marks = get(COUNT_MARKS);
	const example = database.prepare(ANY_PRODUCT).get({ account: account ?? '' })?.['pid'];
	const pid = given ?? (example === undefined ? undefined : String(example));
	return {
		stale: stale ?? 0,
		oldest: oldest ?? undefined,
		newest: newest ?? undefined,
		marks: marks['oldest'] ? (marks as unknown as FoundCache['marks']) : undefined,
		pid,
		cached: pid === undefined || account === undefined ? undefined : readProduct(database, account, pid),
	};
}

const COUNT_PRODUCTS = `SELECT count(*) FILTER (WHERE account = :account) AS products,
		count(*) FILTER (WHERE account = :account AND state = 'stale') AS stale,
		count(*) FILTER (WHERE account <> :account) AS others,
		min(fetched_at) FILTER (WHERE account = :account) AS oldest,
		max(fetched_at) FILTER (WHERE account = :account) AS newest
	FROM entries WHERE kind = 'reviews'`;

/** Marks of products that were not fetched since. */
const COUNT_MARKS = `SELECT count(*) AS products, min(mark.fetched_at) AS oldest
	FROM entries AS mark WHERE mark.account = :account AND mark.kind = 'mark' AND NOT EXISTS (SELECT 1 FROM entries
		WHERE account = :account AND kind = 'reviews' AND pid = mark.pid AND fetched_at >= mark.fetched_at)`;

const ANY_PRODUCT =
	"SELECT pid FROM entries WHERE account = :account AND kind = 'reviews' ORDER BY pid LIMIT 1";

function readProduct(database: DatabaseSync, account: string, pid: string): CachedProduct | undefined {
	const row = findProduct(database, [account], pid).find(({ kind }) => kind === 'reviews');
	if (!row) return undefined;
	const { fetched_at: fetchedAt, state, summary } = row;
	try {
		unpackRow(row);
		const { count = 0, average = 0 } = JSON.parse(summary ?? '{}') as Partial<CachedProduct>;
		return { fetchedAt, state, count, average, isWhole: row.isWhole };
	} catch {
		return { fetchedAt, state, count: 0, average: 0, isWhole: false };
	}
}
