import type { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../base/sqlite.js';
import { ReviewPayloadError } from '../errors.js';
import type { ProviderPage, ReviewProvider } from '../options/provider.js';

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
export class OnePass {
	readonly #provider: Pick<ReviewProvider, 'sourceId'>;
	readonly #readPage: ReadPage;
	readonly #single = new Set<string>();
	#reviews: Promise<DatabaseSync> | undefined;
	readonly #end = new AbortController();

	constructor(provider: Pick<ReviewProvider, 'sourceId'>, readPage: ReadPage) {
		this.#provider = provider;
		this.#readPage = readPage;
	}

	/** Says whether a product is worth a call of its own. */
	isSingle(pid: string): boolean {
		if (this.#reviews) return false;
		if (this.#single.size < FEW) this.#single.add(pid);
		return this.#single.has(pid);
	}

	/**
	 * Returns what `reviews` of the provider would.
	 * @throws what a page of the pass threw. Then no product has an answer.
	 */
	async reviewsOf(pid: string): Promise<unknown> {
		this.#reviews ??= this.#readAll();
		const rows = (await this.#reviews)
			.prepare('SELECT review FROM reviews WHERE pid = ? ORDER BY rowid')
			.all(this.#provider.sourceId?.(pid) ?? pid);
		return rows.length === 0 ? null : { reviews: rows.map(({ review }) => JSON.parse(String(review))) };
	}

	async close(): Promise<void> {
		this.#end.abort(new Error('The run ended.'));
		const database = await this.#reviews?.catch(() => undefined);
		if (database?.isOpen) database.close();
	}

	async #readAll(): Promise<DatabaseSync> {
		const database = openSqlite('');
		try {
			// A review that came while the pages were read moves others on, and some come twice.
			database.exec('CREATE TABLE reviews (pid TEXT, id TEXT, review TEXT, UNIQUE (pid, id))');
			const insert = database.prepare('INSERT OR IGNORE INTO reviews VALUES (?, ?, ?)');
			let cursor: string | undefined;
			let known = 0;
			for (let page = 1; page <= MOST_PAGES; page++) {
				const { reviews, next } = await this.#readPage(cursor, this.#end.signal);
				let added = 0;
				database.exec('BEGIN');
				// Without the product's id: it may be called otherwise in the store.
				for (const { pid, ...review } of reviews) {
					const id = review.id === undefined || review.id === null ? null : String(review.id);
					added += Number(insert.run(String(pid), id, JSON.stringify(review)).changes);
				}
				database.exec('COMMIT');
				known = reviews.length > 0 && added === 0 ? known + 1 : 0;
				if (known > MOST_KNOWN) throw endless('gives the same reviews again and again');
				if (next === undefined || next === null) return database;
				if (next === cursor) throw endless(`leads from the page "${next}" to itself`);
				cursor = next;
			}
			throw endless(`has more than ${MOST_PAGES} pages`);
		} catch (error) {
			database.close();
			throw error;
		}
	}
}

const endless = (problem: string) =>
	new ReviewPayloadError(
		`"all" of the provider does not end: it ${problem}.`,
		'Change what the provider returns.',
	);
