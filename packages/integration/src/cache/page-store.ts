import { randomUUID } from 'node:crypto';
import { dirname, relative, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { digestOf } from '../base/digest.js';
import type { Part } from '../records/parts.js';
import { type FragmentRequest, type ProductFacts, SHOP, type StoredData } from '../render/fragment.js';
import type { CacheFile, Prepare } from './cache-file.js';
import { inTransaction, UnusableFileError } from './open-database.js';

/**
 * One thing that a page shows about a product. A page is current as long as each of its fragments would be written the
 * same, and the data that its own markup requested is unchanged.
 */
export interface Dependency {
	readonly pid: string;
	readonly from: keyof StoredData;
	readonly request?: FragmentRequest | undefined;
	/** Version of the data. If it is unchanged, so is everything that depends on it. */
	version?: string | undefined;
	/**
	 * Digests of everything that the page's file may hold here: one, or several if an update was killed. Without any, the
	 * page's own markup uses the data.
	 */
	held?: readonly string[] | undefined;
}

/** A page as the cache keeps it. */
export interface StoredPage {
	readonly generation?: string | undefined;
	readonly address: string;
	/** Its file in the output folder, where the address does not tell. */
	readonly file?: string | undefined;
	readonly dependencies: readonly Dependency[];
	readonly facts: readonly ProductFacts[];
	readonly changedAt?: number | undefined;
}

/** A page of the last build, and what an update that has not ended makes of it. */
export interface KnownPage {
	readonly row: StoredPage;
	readonly next: StoredPage | undefined;
}

/** The pseudo page of products that a content collection has: any page may show them. */
export const COLLECTION = '*';

/** The pseudo pages of products whose latest reviews pages show: of those of the product list, and of those that pages name. */
export const SHOP_PAGES = { listed: '**', named: '***' } as const;

export type ShopPids = Readonly<Record<keyof typeof SHOP_PAGES, Iterable<string>>>;

/** Part of a product that pages show, and the version in all of them; empty if they differ, or if it is not known. */
export interface ShownPart {
	readonly pid: string;
	readonly part: Part;
	readonly version: string;
	readonly pages: readonly string[];
}

/** Pages written in one transaction. What lives longer than a few dozen pages, V8 collects late. */
const BATCH_SIZE = 50;

/**
 * Keeps what the pages of one output folder show. Every row proves itself: one that is damaged is an error for an update, which
 * then leaves the pages to a build.
 */
export class PageStore {
	readonly #file: CacheFile;
	readonly #site: string;
	readonly #waiting = new Map<string, StoredPage>();
	#hasShown = false;

	/** @param site the output folder, relative to that of the cache. */
	constructor(file: CacheFile, site: string) {
		this.#file = file;
		this.#site = site;
	}

	/** @returns `undefined` if the page is not known, or if its row is damaged. */
	get(name: string): KnownPage | undefined {
		const waiting = this.#waiting.get(name);
		if (waiting) return { row: waiting, next: undefined };
		return this.#file.attempt('read', (prepare) => {
			const found = prepare(GET).get(this.#site, name);
			const row = found && readRow(name, found['row']);
			if (!row) return undefined;
			const next = found['next'] === null ? undefined : readRow(name, found['next']);
			return found['next'] === null || next ? { row, next } : undefined;
		});
	}

	/** Notes a page of a build, as it was rendered. */
	put(name: string, page: StoredPage): void {
		this.#waiting.set(name, page);
		if (this.#waiting.size >= BATCH_SIZE) this.flush();
	}

	/** Notes that a build takes a page over from the one before. */
	keep(name: string, { dependencies }: StoredPage): void {
		this.#file.attempt('written', (prepare, database) => {
			this.#prepareShown(prepare);
			inTransaction(database, () => show(prepare, name, dependencies));
		});
	}

	remove(name: string): void {
		this.flush();
		this.#file.attempt('written', (prepare) => {
			prepare('DELETE FROM pages WHERE site = ? AND name = ?').run(this.#site, name);
			if (this.#hasShown) prepare('DELETE FROM temp.shown WHERE page = ?').run(name);
		});
	}

	flush(): void {
		if (this.#waiting.size === 0) return;
		this.#file.attempt('written', (prepare, database) => {
			this.#prepareShown(prepare);
			inTransaction(database, () => {
				for (const [name, page] of this.#waiting) {
					// Most pages of a build are as the last one left them.
					prepare(PUT).run(this.#site, name, writeRow(name, page));
					show(prepare, name, page.dependencies);
				}
			});
		});
		this.#waiting.clear();
	}

	/**
	 * Ends a build: forgets other pages, and writes which products its pages show.
	 * @param hasCollection whether a content collection has the review data of the account.
	 * @param shop products whose latest reviews pages show. @default none
	 */
	finish(names: ReadonlySet<string>, build: BuildId, hasCollection: boolean, shop?: ShopPids): void {
		this.flush();
		const site = this.#site;
		this.#file.attempt('written', (prepare, database) => {
			this.#prepareShown(prepare);
			inTransaction(database, () => {
				const remove = prepare('DELETE FROM pages WHERE site = ? AND name = ?');
				for (const row of prepare(GET_NAMES).all(site)) {
					const name = String(row['name']);
					if (!names.has(name)) remove.run(site, name);
				}
				prepare('DELETE FROM undelivered WHERE site = ?').run(site);
				prepare('DELETE FROM page_products WHERE site = ?').run(site);
				if (hasCollection) prepare(SHOW_COLLECTION).run(COLLECTION, build.account);
				for (const [name, pids] of Object.entries(shop ?? {})) {
					const page = SHOP_PAGES[name as keyof ShopPids];
					prepare(SHOW_SHOP).run(page, JSON.stringify([...pids]), build.account);
				}
				let products = 0;
				for (const row of prepare(GET_ALL_SHOWN).iterate()) {
					putShown(prepare, site, shownPartOf(row));
					products += 1;
				}
				prepare(PUT_BUILD).run(site, build.id, build.account, products);
			});
			database.exec('DROP TABLE temp.shown');
		});
		this.#hasShown = false;
	}

	/** Returns pages of the build under way that show a product. */
	showing(pid: string): readonly string[] {
		this.flush();
		return this.#hasShown ? this.#file.texts('SELECT page FROM temp.shown WHERE pid = ?', pid) : [];
	}

	/** Returns the products of the pages of the build under way. */
	asked(): ReadonlySet<string> {
		this.flush();
		return new Set(this.#hasShown ? this.#file.texts('SELECT DISTINCT pid FROM temp.shown') : []);
	}

	/** Returns the products of the product list, if pages show their latest reviews. */
	shop(): readonly string[] {
		return this.#file.texts(GET_SHOP, this.#site, SHOP_PAGES.listed);
	}

	/** Returns whether the pages are those of a build. */
	isOf({ id, account }: BuildId): boolean {
		const found = this.#file.attempt('read', (prepare) => prepare(GET_BUILD).get(this.#site));
		return found?.['id'] === id && found['account'] === account;
	}

	names(): readonly string[] {
		return this.#file.texts(GET_NAMES, this.#site);
	}

	/** Returns what pages show of these products. @throws UnusableFileError if a row is damaged */
	shown(pids: readonly string[]): readonly ShownPart[] {
		return this.#file.rows(GET_SHOWN, this.#site, JSON.stringify(pids)).map(readShown);
	}

	/**
	 * Returns all products that pages show. A row whose key is damaged is found by no query, so this is also the proof that a
	 * product which is not among them is on no page.
	 * @throws UnusableFileError if a row is damaged or missing
	 */
	products(): readonly string[] {
		return [...new Set(this.parts().map(({ pid }) => pid))].filter((pid) => pid !== SHOP);
	}

	/** Returns all parts that pages show. @throws UnusableFileError if a row is damaged or missing */
	parts(): readonly ShownPart[] {
		const { rows, count } = this.#file.attempt('read', (prepare) => ({
			rows: prepare('SELECT * FROM page_products WHERE site = ? ORDER BY pid').all(this.#site),
			count: prepare(GET_BUILD).get(this.#site)?.['products'],
		})) ?? { rows: [], count: 0 };
		if (rows.length !== count) throw new UnusableFileError('the index of its pages is not whole');
		return rows.map(readShown);
	}

	/** Returns products whose stored records are other than those that pages show. */
	changed(account: string): readonly string[] {
		return this.#file.texts(GET_CHANGED, this.#site, account);
	}

	/** Returns pages that an update which was killed may have written. */
	pending(): readonly string[] {
		return this.#file.texts('SELECT name FROM pages WHERE site = ? AND next IS NOT NULL', this.#site);
	}

	/** Notes what is about to be written into files, so that whoever runs next knows what they may hold. */
	begin(pages: ReadonlyMap<string, KnownPage>): void {
		this.#file.write((prepare) => {
			for (const [name, { row, next }] of pages)
				prepare(PUT_BOTH).run(this.#site, name, writeRow(name, row), next ? writeRow(name, next) : null);
		});
	}

	/**
	 * Ends an update: what was written is what pages show.
	 * @param names of pages whose files hold what is noted as next. @param files that changed, which nobody was told of yet.
	 */
	end(names: Iterable<string>, shown: Iterable<ShownPart>, files: readonly string[]): void {
		const revision = randomUUID();
		const site = this.#site;
		this.#file.write((prepare) => {
			for (const name of names) prepare(END).run(site, name);
			for (const part of shown) putShown(prepare, site, part);
			for (const file of files) prepare(PUT_UNDELIVERED).run(site, file, revision);
		});
	}

	/** Returns files that changed, and that nobody was told of since, with the revision of each. */
	undelivered(): ReadonlyMap<string, string> {
		const sql = 'SELECT file, revision FROM undelivered WHERE site = ? ORDER BY file';
		const rows = this.#file.rows(sql, this.#site);
		return new Map(rows.map(({ file, revision }) => [String(file), String(revision)]));
	}

	/** Notes that somebody was told of files. One that changed again in the meantime stays. */
	deliver(files: ReadonlyMap<string, string>): void {
		this.#file.write((prepare) => {
			const remove = prepare('DELETE FROM undelivered WHERE site = ? AND file = ? AND revision = ?');
			for (const [file, revision] of files) remove.run(this.#site, file, revision);
		});
	}

	/** Makes the table of what the pages of this build show: outside of the file, so that the index is written once. */
	#prepareShown(prepare: Prepare): void {
		if (this.#hasShown) return;
		prepare(
			`CREATE TEMP TABLE IF NOT EXISTS shown (
				pid TEXT, part TEXT, page TEXT, version TEXT, PRIMARY KEY (pid, part, page)
			) WITHOUT ROWID`,
		).run();
		this.#hasShown = true;
	}
}

/**
 * Names an output folder as seen from the cache, so that a cache which is brought back with its project finds its pages, and
 * two projects may share one.
 */
export function siteOf(cacheFile: string, outDir: string): string {
	return relative(dirname(cacheFile), outDir).replaceAll(sep, '/');
}

export interface BuildId {
	readonly id: string;
	readonly account: string;
}

const GET = 'SELECT row, next FROM pages WHERE site = ? AND name = ?';
const GET_NAMES = 'SELECT name FROM pages WHERE site = ?';
const PUT = `INSERT INTO pages (site, name, row) VALUES (?, ?, ?)
	ON CONFLICT (site, name) DO UPDATE SET row = excluded.row, next = NULL
	WHERE row <> excluded.row OR next IS NOT NULL`;
const PUT_BOTH = 'INSERT OR REPLACE INTO pages (site, name, row, next) VALUES (?, ?, ?, ?)';
const END = 'UPDATE pages SET row = next, next = NULL WHERE site = ? AND name = ? AND next IS NOT NULL';
const GET_BUILD = 'SELECT id, account, products FROM builds WHERE site = ?';
const PUT_BUILD = 'INSERT OR REPLACE INTO builds (site, id, account, products) VALUES (?, ?, ?, ?)';
const GET_SHOWN = 'SELECT * FROM page_products WHERE site = ? AND pid IN (SELECT value FROM json_each(?))';
const GET_ALL_SHOWN = `SELECT pid, part, json_group_array(page) AS pages,
	CASE WHEN min(version) = max(version) THEN min(version) ELSE '' END AS version
	FROM temp.shown GROUP BY pid, part`;
const PUT_SHOWN = `INSERT OR REPLACE INTO page_products (site, pid, part, version, pages, proof)
	VALUES (?, ?, ?, ?, ?, ?)`;
const GET_SHOP = `SELECT pid FROM page_products WHERE site = ? AND part = 'reviews'
	AND EXISTS (SELECT 1 FROM json_each(pages) WHERE value = ?)`;
const GET_CHANGED = `SELECT DISTINCT pid FROM page_products AS shown JOIN products USING (part, pid)
	WHERE shown.site = ? AND account = ? AND version <> digest`;
const PUT_UNDELIVERED = 'INSERT OR REPLACE INTO undelivered (site, file, revision) VALUES (?, ?, ?)';
const SHOW_SHOP = `INSERT OR REPLACE INTO temp.shown (pid, part, page, version)
	SELECT value, 'reviews', ?1, coalesce(digest, '') FROM json_each(?2)
	LEFT JOIN products ON account = ?3 AND part = 'reviews' AND pid = value`;
const SHOW_COLLECTION = `INSERT OR REPLACE INTO temp.shown (pid, part, page, version)
	SELECT pid, part, ?, digest FROM products WHERE account = ? AND part = 'review-data'`;

/** Writes a row with its checksum. It has its own name, so it proves that it stands where it belongs. */
function writeRow(name: string, page: StoredPage): string {
	const text = JSON.stringify({ name, ...page });
	return `${digestOf(text)} ${text}`;
}

const DIGEST_LENGTH = 32;

function readRow(name: string, written: unknown): StoredPage | undefined {
	const text = String(written).slice(DIGEST_LENGTH + 1);
	if (digestOf(text) !== String(written).slice(0, DIGEST_LENGTH)) return undefined;
	const { name: own, ...page } = JSON.parse(text) as StoredPage & { readonly name: string };
	return own === name ? page : undefined;
}

function show(prepare: Prepare, page: string, dependencies: StoredPage['dependencies']): void {
	const put = prepare('INSERT OR REPLACE INTO temp.shown (pid, part, page, version) VALUES (?, ?, ?, ?)');
	for (const { pid, from, version = '' } of dependencies) put.run(pid, from, page, version);
}

function putShown(prepare: Prepare, site: string, { pid, part, version, pages }: ShownPart): void {
	const text = JSON.stringify(pages);
	prepare(PUT_SHOWN).run(site, pid, part, version, text, proofOf(site, pid, part, version, text));
}

function readShown(row: Readonly<Record<string, unknown>>): ShownPart {
	const { site, pid, part, version, pages, proof } = row;
	if (proof !== proofOf(site, pid, part, version, pages))
		throw new UnusableFileError('the index of its pages is damaged');
	return shownPartOf(row);
}

function shownPartOf({ pid, part, version, pages }: Readonly<Record<string, unknown>>): ShownPart {
	return {
		pid: String(pid),
		part: part as Part,
		version: String(version),
		pages: JSON.parse(String(pages)) as string[],
	};
}

function proofOf(...values: unknown[]): number {
	return crc32(JSON.stringify(values));
}
