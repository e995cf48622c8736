import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { inParallel, keepAlive } from '../base/async.js';
import { reasonOf } from '../base/words.js';
import { CacheFile } from '../cache/cache-file.js';
import { isOfFile, isUnusable, openExistingFile } from '../cache/open-database.js';
import { COLLECTION, PageStore, SHOP_PAGES, type ShownPart, siteOf } from '../cache/page-store.js';
import { findProducts, markProducts } from '../cache/queries.js';
import { CommandError } from '../errors.js';
import type { GivenFeeds } from '../feeds/write-feeds.js';
import { createProductData, findShopProducts } from '../pages/build-source.js';
import { productsOf } from '../pages/page-row.js';
import { connectionOf, environmentOf, storageOf } from '../project/environment.js';
import type { RenewContext } from '../project/files.js';
import {
	type Manifest,
	type OutputPlace,
	openOutput,
	otherOutputs,
	quote,
	type WrittenManifest,
} from '../project/manifest.js';
import { type OpenReviews, openReviews } from '../project/open-reviews.js';
import { findCopies, lockOutput } from '../project/output.js';
import { isProvider } from '../providers/load-provider.js';
import type { Resource } from '../records/parts.js';
import { type ProductSource, SHOP, type ShopProduct } from '../render/fragment.js';
import { type CurrentContents, REASONS, updatePages } from './compare-pages.js';
import { renewSitemaps } from './sitemaps.js';

/** Longest time that an update waits for a build or another update, in milliseconds: 10 minutes. */
const PATIENCE = 600_000;

/** Products asked for together. Their pages are written before the next ones are asked for. */
const BATCH = 100;

/** Outcome of an update. */
export interface UpdateResult {
	/** Files that were replaced, with their compressed copies and sitemaps, relative to the output folder. */
	readonly files: readonly string[];
	/** Pages that need a rebuild, with the reason. `page` is `null` if it may be any page. */
	readonly rebuild: readonly PageToRebuild[];
	/** Other folders in which these files were replaced, relative to the project, such as `.vercel/output/static`. */
	readonly copies: readonly string[];
	/** Products that show the same everywhere. */
	readonly unchanged: readonly string[];
	/** Products that no page shows: an id may be mistyped. */
	readonly notShown: readonly string[];
	/** Products for which the service failed. Their pages are as they were. */
	readonly failed: readonly FailedProduct[];
}

export interface PageToRebuild {
	/** Path of its address. */
	readonly page: string | null;
	readonly reason: string;
}

export interface FailedProduct {
	readonly pid: string;
	readonly reason: string;
}

export interface RunContext extends OutputPlace {
	/** `true` to say what would be done, and do nothing. */
	readonly isDryRun: boolean;
	/** The files of all products, to be written, too. @default those are left as they are */
	readonly feeds?: GivenFeeds | undefined;
	readonly warn: (message: string) => void;
	readonly onProgress?: (done: number, total: number) => void;
}

export type GivenProducts = readonly string[] | 'marked' | 'all';

export interface RunResult {
	readonly result: UpdateResult;
	/** Build that was updated; `undefined` if no page could be looked at, so that all of them are left. */
	readonly target?: {
		readonly folder: string;
		/** Files that changed since somebody was told of them, or since the build, relative to the folder. */
		readonly undelivered: readonly string[];
		/** Notes that somebody was told of them. */
		readonly deliver: () => void;
	};
}

export async function runUpdate(given: GivenProducts, context: RunContext): Promise<RunResult> {
	try {
		return await updateAlone(given, context);
	} catch (error) {
		try {
			markGiven(given, context);
		} catch {
			// The first error is the one to report.
		}
		// What the cache has of pages cannot be believed.
		if (isUnusable(error)) return leaveAll(`the cache cannot be used: ${error.message}`);
		throw error;
	}
}

function leaveAll(reason: string): RunResult {
	const rebuild = [{ page: null, reason }];
	return { result: { files: [], copies: [], rebuild, unchanged: [], notShown: [], failed: [] } };
}

async function updateAlone(given: GivenProducts, context: RunContext): Promise<RunResult> {
	const { cacheFile, warn } = context;
	const leave = (reason: string): RunResult => {
		markGiven(given, context);
		return leaveAll(reason);
	};
	const known = openOutput(context);
	if (known.outDir === undefined) return leave(known.reason);
	// A build that has not finished may be one that is running.
	const unlock = await lockOutput({
		...{ root: known.root, outDir: known.outDir, patience: PATIENCE },
		onWait: () => warn('Waiting for another build or update to finish with the output folder.'),
	});
	if (!unlock) {
		throw new CommandError(
			'PR_OUTPUT_BUSY',
			'Another build or update has held the output folder for 10 minutes.',
			'End it, and run the update again.',
		);
	}
	try {
		// A build may have finished in the meantime.
		const { build, reason } = openOutput(context);
		if (!build) return leave(reason);
		const cache = openStrictly(cacheFile);
		if (typeof cache === 'string') return leave(cache);
		const others = context.outDir === undefined ? otherOutputs(cacheFile, build) : [];
		if (others.length > 0) warn(describeOthers(build.outDir, others));
		return await keepAlive(updateBuild(given, build, cache, context));
	} finally {
		unlock();
	}
}

function describeOthers(outDir: string, others: readonly string[]): string {
	return `Only ${quote(outDir)} is updated: ${others.map(quote).join(' and ')} has the same cache, and was built before it. Give each its own option "cacheDir".`;
}

/** Opens the cache of the last build. @returns the reason, as a part of a sentence, if it cannot be used. */
function openStrictly(cacheFile: string): CacheFile | string {
	try {
		return CacheFile.strictly(cacheFile);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT') return 'the cache of the last build is gone';
		if (!isOfFile(error)) throw error;
		return `the cache cannot be used: ${reasonOf(error)}`;
	}
}

/** Whoever knows what changed may not say it again, so the cache keeps it. */
function markGiven(given: GivenProducts, { cacheFile, isDryRun }: RunContext): void {
	if (isDryRun || given === 'marked') return;
	try {
		const database = openExistingFile(cacheFile);
		try {
			markProducts(database, given === 'all' ? findProducts(database) : given, 'event');
		} finally {
			database.close();
		}
	} catch (error) {
		// Without a cache, the next build asks for everything anyway.
		if (!isOfFile(error)) throw error;
	}
}

/** Age does not matter: what changed is named or marked. In milliseconds. */
const NEVER = Number.MAX_SAFE_INTEGER;

async function updateBuild(
	given: GivenProducts,
	build: WrittenManifest,
	cache: CacheFile,
	context: RunContext,
): Promise<RunResult> {
	const { cacheFile, isDryRun, warn } = context;
	const outDir = resolve(build.root, build.outDir);
	const site = siteOf(cacheFile, outDir);
	const pages = new PageStore(cache, site);
	const environment = environmentOf(build);
	try {
		const connection = await connectionOf(build, environment);
		const { account } = connection;
		if (account !== build.account || !pages.isOf(build)) {
			markGiven(given, context);
			return leaveAll(account === build.account ? NOT_ITS_CACHE : OTHER_ACCOUNT);
		}
		const options = { ...build.options, onError: 'stale', revalidate: 'age', maxAge: NEVER } as const;
		const logger = { info: warn, warn };
		const storage = isDryRun ? undefined : storageOf(build, environment, warn);
		const named = typeof given === 'string' ? [] : given;
		// A few take less time than the start of a thread.
		const areFew = Array.isArray(given) && given.length <= BATCH && !isProvider(connection);
		const fetchHere = areFew
			? (await import('../providers/hosted-fetcher.js')).createHostedFetcher
			: undefined;
		const changed = { pids: given === 'all' ? pages.products() : named, all: given === 'all' };
		// Whatever is named is asked for, even after a failure: by the next run, whatever that is given.
		const reviews = await openReviews({
			...{ command: 'build', options, connection, cacheFile, cache, isDryRun, storage, logger },
			changed: { ...changed, all: false },
			fetchHere,
		});
		try {
			await reviews.broadcast(changed);
			const run = new Run(build, pages, reviews, context);
			if (given !== 'marked') return await run.update(changed.pids);
			// Those that something else fetched since pages showed them are outdated, too.
			return await run.update([...new Set([...reviews.store.marked(), ...pages.changed(account)])]);
		} finally {
			await reviews.end();
			await reviews.close();
		}
	} finally {
		cache.close();
	}
}

const NOT_ITS_CACHE = 'the cache is not that of the last build';
const OTHER_ACCOUNT =
	'the website ID, the address of the service or the provider is other than in the last build';

const OF_SHOP = Object.values(SHOP_PAGES);

/** One update of the pages of a build. */
class Run {
	readonly #build: Manifest;
	readonly #folder: string;
	readonly #pages: PageStore;
	readonly #reviews: OpenReviews;
	readonly #context: RunContext;
	readonly #failed = new Map<string, FailedProduct>();
	readonly #changed = new Set<string>();
	readonly #rebuild = new Map<string | null, string>();
	readonly #files = new Set<string>();
	/** Times when pages that were written changed, by their addresses. */
	readonly #times = new Map<string, number>();
	/** Pages that have to be left, and those whose products could not all be fetched. */
	readonly #left = new Set<string>();
	readonly #done = new Set<string>();
	/** Products whose reviews have changed, and which pages may show as those of the shop. */
	readonly #changedInShop = new Set<string>();
	readonly #written = new Set<string>();
	/** Folders with copies of the pages, relative to the project. */
	readonly #copies: readonly string[];
	readonly #unrecorded: readonly string[];

	constructor(build: Manifest, pages: PageStore, reviews: OpenReviews, context: RunContext) {
		this.#build = build;
		this.#folder = resolve(build.root, build.folder);
		this.#pages = pages;
		this.#reviews = reviews;
		this.#context = context;
		const { copied, root } = build;
		this.#copies = copied?.folders.filter((folder) => existsSync(resolve(root, folder))) ?? [];
		this.#unrecorded = copied ? findCopies(copied, build) : [];
	}

	async update(given: readonly string[]): Promise<RunResult> {
		const pages = this.#pages;
		const { isDryRun, feeds, onProgress } = this.#context;
		const unfinished = pages.pending();
		const resumed = new Set(unfinished.flatMap((name) => this.#productsOf(name)));
		if (resumed.delete(SHOP)) this.#changedInShop.add(SHOP);
		const pids = [...new Set([...resumed, ...given])];
		for (let at = 0; at < pids.length; at += BATCH) {
			await this.#updateBatch(pids.slice(at, at + BATCH));
			this.#reviews.store.flush();
			onProgress?.(Math.min(at + BATCH, pids.length), pids.length);
		}
		if (this.#changedInShop.size > 0) await this.#updateShopPages();
		await this.#updateFiles(pids, unfinished.length > 0);
		const same = pids.filter((pid) => !this.#changed.has(pid) && !this.#failed.has(pid));
		const isShown = new Set(pages.shown(same).map(({ pid }) => pid));
		// What the index does not find is on no page only if the index is whole.
		const shown = same.every((pid) => isShown.has(pid)) ? isShown : new Set(pages.products());
		if (!isDryRun) pages.end(this.#done, this.#shownNow(pids), [...this.#files]);
		const failures = feeds ? this.#reviews.results['review-data'].failures : [];
		for (const { pid, reason } of failures) this.#failed.set(pid, { pid, reason });
		return {
			result: {
				files: [...this.#files],
				copies: this.#files.size > 0 ? this.#copies : [],
				rebuild: [...this.#rebuild].map(([page, reason]) => ({ page, reason })),
				unchanged: same.filter((pid) => shown.has(pid)),
				notShown: same.filter((pid) => !shown.has(pid)),
				failed: [...this.#failed.values()],
			},
			target: this.#target(),
		};
	}

	/** Returns the products of a page that an update which was killed may have written. */
	#productsOf(name: string): readonly string[] {
		const page = this.#pages.get(name);
		if (!page) this.#rebuild.set(name, REASONS.damaged);
		return page ? productsOf(page.row.dependencies) : [];
	}

	async #updateBatch(batch: readonly string[]): Promise<void> {
		const shown = this.#pages.shown(batch);
		const shownBy = (names: readonly string[], resource: Resource) =>
			shown.filter(({ part, pages }) => part === resource && names.some((name) => pages.includes(name)));
		await inParallel(shownBy([COLLECTION], 'review-data'), BATCH, (part) => this.#compareCollection(part));
		await inParallel(shownBy(OF_SHOP, 'reviews'), BATCH, (part) => this.#compareShop(part));
		const names = new Set(shown.flatMap(({ pages }) => pages));
		for (const name of [COLLECTION, ...OF_SHOP]) names.delete(name);
		await this.#updatePages(names, new Set(batch));
	}

	/** Updates the pages that show reviews of the shop, once all of its products are known. */
	async #updateShopPages(): Promise<void> {
		const [shown] = this.#pages.shown([SHOP]);
		const names = new Set(shown?.pages);
		await this.#updatePages(names, new Set([SHOP]));
		if ([...names].some((name) => this.#left.has(name))) for (const name of OF_SHOP) this.#left.add(name);
		if (this.#changed.has(SHOP)) for (const pid of this.#changedInShop) this.#changed.add(pid);
	}

	async #updatePages(names: ReadonlySet<string>, pids: ReadonlySet<string>): Promise<void> {
		const { isDryRun } = this.#context;
		const build = this.#build;
		const updated = updatePages([...names].toSorted(), pids, {
			folder: this.#folder,
			...{ root: build.root, copies: this.#copies, unrecorded: this.#unrecorded },
			base: build.base,
			store: this.#pages,
			contents: this.#contents(),
			isDryRun,
			written: this.#written,
		});
		for await (const { name, page, reason, changedAt, isDone, ...more } of updated) {
			if (page !== null && changedAt !== undefined) this.#times.set(page, changedAt);
			for (const file of more.files ?? []) this.#files.add(file);
			if (reason !== undefined) this.#rebuild.set(page, reason);
			for (const [address, why] of more.others ?? []) this.#rebuild.set(address, why);
			if (isDone) this.#done.add(name);
			else this.#left.add(name);
			for (const pid of more.pids) this.#changed.add(pid);
		}
		for (const name of this.#left) this.#done.delete(name);
	}

	#contents(): CurrentContents {
		const { store } = this.#reviews;
		let shop: readonly ShopProduct[] | undefined;
		const data = createProductData({
			...this.#reviews,
			settings: this.#build.settings,
			shop: async () => (shop ??= findShopProducts(store, this.#pages.shop())),
		});
		return {
			...data,
			isKnown: async (dependency) => {
				await data.settle(dependency);
				return dependency.from === 'shop' || this.#isKnown(dependency.pid, dependency.from);
			},
		};
	}

	async #compareShop({ pid, version }: ShownPart): Promise<void> {
		const { reviews, store } = this.#reviews;
		await reviews.settle(pid);
		if (this.#isKnown(pid, 'reviews') && store.entry(pid, 'reviews')?.digest !== version)
			this.#changedInShop.add(pid);
	}

	/** Returns whether a part of a product could be had, and notes the product as failed otherwise. */
	#isKnown(pid: string, part: ProductSource): boolean {
		const results = this.#reviews.results[part];
		const isKnown = results.isSettled(pid);
		if (!isKnown) this.#failed.set(pid, { pid, reason: results.get(pid)?.reason ?? 'the service failed' });
		return isKnown;
	}

	/** A content collection has the review data of a product, and nobody knows which pages show it. */
	async #compareCollection({ pid, part, version }: ShownPart): Promise<void> {
		await this.#reviews.reviewData.settle(pid);
		if (this.#reviews.store.entry(pid, part)?.digest === version) return;
		this.#rebuild.set(null, 'a content collection has reviews that changed, and any page may show them');
		this.#left.add(COLLECTION);
		this.#changed.add(pid);
	}

	/** Writes what is made of several pages or products: after them, and before they count as written. */
	async #updateFiles(pids: readonly string[], isResumed: boolean): Promise<void> {
		const build = this.#build;
		const { isDryRun, feeds } = this.#context;
		const copies = this.#copies.map((folder) => resolve(build.root, folder));
		const where = { build, folder: this.#folder, copies, isDryRun, isResumed };
		const renewed = feeds || build.hasRatingsFile ? await this.#writeFeeds(pids, where) : [];
		const written = [...this.#files].toSorted();
		const sitemaps = await renewSitemaps(this.#times, where);
		this.#files.clear();
		for (const file of [...[...written, ...renewed].toSorted(), ...sitemaps]) this.#files.add(file);
	}

	/** Loads the code of feeds only for this: the update of a product takes half a second. */
	async #writeFeeds(pids: readonly string[], where: RenewContext): Promise<readonly string[]> {
		const { feeds, warn } = this.#context;
		const { writeFeeds, renewRatings } = await import('../feeds/write-feeds.js');
		if (!feeds) return renewRatings(pids, this.#reviews, where);
		return writeFeeds(feeds, this.#reviews, this.#pages, { ...where, build: this.#build, warn });
	}

	/** Returns what pages show now of products that are current on all of their pages. */
	*#shownNow(pids: readonly string[]): Generator<ShownPart> {
		for (const shown of this.#pages.shown(pids)) {
			const { pid, part, pages, version } = shown;
			const digest = this.#reviews.store.entry(pid, part)?.digest;
			if (digest === undefined || digest === version || this.#failed.has(pid)) continue;
			if (!pages.some((name) => this.#left.has(name))) yield { ...shown, version: digest };
		}
	}

	#target(): NonNullable<RunResult['target']> {
		const { cacheFile } = this.#context;
		const { root, outDir } = this.#build;
		const undelivered = this.#pages.undelivered();
		return {
			folder: this.#folder,
			undelivered: [...undelivered.keys()],
			deliver() {
				const cache = CacheFile.strictly(cacheFile);
				new PageStore(cache, siteOf(cacheFile, resolve(root, outDir))).deliver(undelivered);
				cache.close();
			},
		};
	}
}
