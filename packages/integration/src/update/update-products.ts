import { pack } from '../cache/values.js';
import type { StoredPage } from '../pages/page.js';
import type { Manifest } from '../project/manifest.js';
import { readStored, type TwinContext, twinText as writeTwin } from '../session/feeds.js';
import type { OpenReviews } from '../session/open-reviews.js';
import { createProductData } from '../session/source.js';
import { type CurrentContents, inParallel, type PagesContext, updatePages } from './update-pages.js';

/** What an update did. */
export interface UpdateResult {
	/** Files that were replaced, with their compressed copies and sitemaps, relative to the output folder. */
	readonly files: readonly string[];
	/** Pages that need a rebuild, with the reason. `page` is `null` if it may be any page. */
	readonly rebuild: readonly PageToRebuild[];
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

/** Products asked for together. Their pages are written before the next ones are asked for. */
const BATCH = 100;

interface ProductsContext extends Pick<PagesContext, 'folder' | 'isDryRun' | 'isResumed'> {
	readonly reviews: OpenReviews;
	readonly build: Manifest;
	/** Pages that changed since then count, even if an earlier run wrote them. In milliseconds since 1970. */
	readonly since: number;
	readonly onProgress: (done: number) => void;
}

export async function updateProducts(
	pids: readonly string[],
	{ reviews, build, since, onProgress, ...context }: ProductsContext,
): Promise<{ readonly result: UpdateResult; readonly pages: ReadonlyMap<string, number | undefined> }> {
	const { cache } = reviews;
	const table = cache.pages<StoredPage>();
	const data = createProductData({ ...reviews, settings: build.options });
	const failed = new Map<string, FailedProduct>();
	const contents: CurrentContents = {
		...data,
		async isKnown(dependency) {
			const { pid, from } = dependency;
			const outcomes = reviews.outcomes[from];
			await data.settle(dependency);
			if (outcomes.isSettled(pid)) return true;
			failed.set(pid, { pid, reason: outcomes.get(pid)?.reason ?? 'the service failed' });
			return false;
		},
	};
	const twins: TwinContext = {
		...{ site: build.site, settings: build.options },
		// As it is by now: of other products of a page, its file has what the cache has.
		read: (from, pid) => readStored(cache, from, pid),
	};
	const twinText = (page: StoredPage) => writeTwin(page, twins);
	const pagesContext = { ...context, base: build.base, table, contents, twinText };
	const files = new Set<string>();
	const pages = new Map<string, number | undefined>();
	const changed = new Set<string>();
	const rebuild = new Map<string | null, string>();
	for (let at = 0; at < pids.length; at += BATCH) {
		const batch = pids.slice(at, at + BATCH);
		// Before the pages ask for the same data.
		await inParallel(build.hasCollection ? batch : [], BATCH, async (pid) => {
			if (!(await hasCollectionChanged(pid, reviews, build.at))) return;
			rebuild.set(null, IN_COLLECTION);
			changed.add(pid);
		});
		for await (const one of updatePages(table.showing(batch), new Set(batch), pagesContext)) {
			const { page, reason, changedAt } = one;
			const written = one.files ?? ((changedAt ?? 0) >= since ? one.found : undefined);
			if (written && page !== null) pages.set(page, changedAt);
			for (const file of [...(written ?? []), ...(one.twins ?? [])]) files.add(file);
			if (reason !== undefined) rebuild.set(page, reason);
			for (const pid of one.pids) changed.add(pid);
		}
		cache.flush();
		onProgress(Math.min(at + BATCH, pids.length));
	}
	const same = pids.filter((pid) => !changed.has(pid) && !failed.has(pid));
	const notShown = new Set(same.filter((pid) => table.showing([pid]).length === 0));
	const result = {
		files: [...files].toSorted(),
		rebuild: [...rebuild].map(([page, reason]) => ({ page, reason })),
		unchanged: same.filter((pid) => !notShown.has(pid)),
		notShown: [...notShown],
		failed: [...failed.values()],
	};
	return { result, pages };
}

const IN_COLLECTION = 'a content collection has reviews that changed, and any page may show them';

/**
 * Whether the review data of a product is other than in the last build. A content collection has it, and nobody knows
 * which pages show it. Products that the collection never had are not asked for. What the collection has is kept until
 * the next build: only the first run finds it in the cache, and its rebuild may fail.
 */
export async function hasCollectionChanged(
	pid: string,
	{ cache, reviewData }: Pick<OpenReviews, 'cache' | 'reviewData'>,
	builtAt: number,
): Promise<boolean> {
	const table = cache.table('review-data');
	const output = cache.table<{ readonly digest: string }>('output');
	const key = `collection ${pid}`;
	const kept = output.get(key);
	const isKept = kept && kept.fetchedAt >= builtAt;
	const before = isKept ? kept.value.digest : table.entry(pid)?.digest;
	if (before === undefined) return false;
	if (!isKept) output.put(key, pack({ digest: before }), Date.now());
	await reviewData.settle(pid);
	return table.entry(pid)?.digest !== before;
}
