import type { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../base/sqlite.js';
import type { ProviderPage, ReviewProvider } from '../options/provider.js';
import { idOf, unusable } from './read-provider-reviews.js';

/** Products that a run asks for one by one. Of more, the reviews of all products are read at once. */
const FEW = 20;

/** Pages of a service that has an end. */
const MOST_PAGES = 100_000;

/** Pages in a row that may have nothing new. A review that came meanwhile moves others to the next page. */
const MOST_KNOWN = 3;

type ReadPage = (cursor: string | undefined, signal: AbortSignal) => Promise<ProviderPage>;

/**
 * Reads the reviews of all products once in a run, page by page, and keeps them by product until the run ends: in a temporary
 * file, since a shop may have more than fit into memory.
 */
export function createOnePass(provider: ReviewProvider, readPage: ReadPage) {
	const single = new Set<string>();
	const end = new AbortController();
	let reading: Promise<DatabaseSync> | undefined;
	return {
		/** Says whether a product is worth a call of its own. */
		isSingle(pid: string): boolean {
			if (reading) return false;
			if (single.size < FEW) single.add(pid);
			return single.has(pid);
		},
		/**
		 * Returns what `reviews` of the provider would.
		 * @throws what a page of the pass threw. Then no product has an answer.
		 */
		async reviewsOf(pid: string): Promise<unknown> {
			reading ??= readAll(readPage, end.signal);
			const rows = (await reading)
				.prepare('SELECT review FROM reviews WHERE pid = ? ORDER BY rowid')
				.all(provider.sourceId?.(pid) ?? pid);
			return rows.length === 0 ? null : { reviews: rows.map(({ review }) => JSON.parse(String(review))) };
		},
		async close(): Promise<void> {
			end.abort(new Error('The run ended.'));
			const database = await reading?.catch(() => undefined);
			if (database?.isOpen) database.close();
		},
	};
}

async function readAll(readPage: ReadPage, signal: AbortSignal): Promise<DatabaseSync> {
	const endless = (problem: string) => unusable(`"all" of the provider does not end: it ${problem}.`);
	const database = openSqlite('');
	try {
		// A review that came while the pages were read moves others on, and some come twice.
		database.exec('CREATE TABLE reviews (pid TEXT, id TEXT, review TEXT, UNIQUE (pid, id))');
		const insert = database.prepare('INSERT OR IGNORE INTO reviews VALUES (?, ?, ?)');
		let cursor: string | undefined;
		let known = 0;
		for (let page = 1; page <= MOST_PAGES; page++) {
			const { reviews, next } = await readPage(cursor, signal);
			let added = 0;
			database.exec('BEGIN');
			// Without the product's id: it may be called otherwise in the store.
			for (const { pid, ...review } of reviews) {
				const { changes } = insert.run(String(pid), idOf(review.id) ?? null, JSON.stringify(review));
				added += Number(changes);
			}
			database.exec('COMMIT');
			known = reviews.length > 0 && added === 0 ? known + 1 : 0;
			if (known > MOST_KNOWN) throw endless('gives the same reviews again and again');
			if (!next) return database;
			if (next === cursor) throw endless(`leads from the page "${next}" to itself`);
			cursor = next;
		}
		throw endless(`has more than ${MOST_PAGES} pages`);
	} catch (error) {
		database.close();
		throw error;
	}
}
