import type { LastBuild } from '../build/last-build.js';
import type { OpenReviews } from '../build/open-reviews.js';
import { inParallel } from '../collections/in-parallel.js';
import type { StoredPage } from '../pages/stored-page.js';
import { hasCollectionChanged } from './collection-change.js';
import { createContents } from './current-contents.js';
import { publishPages } from './publish-pages.js';
import type { Published } from './published.js';

/** Products asked for together. Their pages are written before the next ones are asked for. */
const BATCH = 100;

/** What products are published with. */
export interface ProductsContext {
	readonly reviews: OpenReviews;
	readonly build: LastBuild;
	/** Absolute path of the output folder. */
	readonly folder: string;
	readonly isDryRun: boolean;
	/** Pages that changed since then count, even if an earlier run wrote them. In milliseconds since 1970. */
	readonly since: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Called with the number of products that are done. */
	readonly onProgress: (done: number) => void;
}

/** What happened to products, and to their pages. */
export interface PublishedProducts {
	readonly published: Published;
	/**
	 * Pages whose files were replaced, by the readable path of their address, and when the reviews on them last changed, in
	 * milliseconds since 1970.
	 */
	readonly pages: ReadonlyMap<string, number | undefined>;
}

/** Asks the service for products, and brings what changed into their pages. */
export async function publishProducts(
	pids: readonly string[],
	{ reviews, build, folder, isDryRun, since, now, onProgress }: ProductsContext,
): Promise<PublishedProducts> {
	const { store } = reviews;
	const table = store.pages<StoredPage>();
	const contents = createContents(reviews, build.options);
	const context = { folder, base: build.base, table, flush: store.flush, contents, isDryRun, now };
	const files = new Set<string>();
	const pages = new Map<string, number | undefined>();
	const changed = new Set<string>();
	const rebuild = new Map<string | null, string>();
	for (let at = 0; at < pids.length; at += BATCH) {
		const batch = pids.slice(at, at + BATCH);
		// Before the pages ask for the same data.
		const inCollection = build.hasCollection ? await filterChanged(batch, reviews, build.at) : [];
		if (inCollection.length > 0) rebuild.set(null, IN_COLLECTION);
		for (const pid of inCollection) changed.add(pid);
		for await (const result of publishPages(table.showing(batch), new Set(batch), context)) {
			const { page, reason, changedAt } = result;
			const written = result.files ?? ((changedAt ?? 0) >= since ? result.found : undefined);
			if (written) pages.set(page, changedAt);
			for (const file of written ?? []) files.add(file);
			if (reason !== undefined) rebuild.set(page, reason);
			for (const pid of result.pids) changed.add(pid);
		}
		onProgress(Math.min(at + BATCH, pids.length));
	}
	const failed = [...contents.failed.values()];
	const same = pids.filter((pid) => !changed.has(pid) && !contents.failed.has(pid));
	const notShown = new Set(same.filter((pid) => table.showing([pid]).length === 0));
	const published = {
		files: [...files].toSorted(),
		rebuild: [...rebuild].map(([page, reason]) => ({ page, reason })),
		unchanged: same.filter((pid) => !notShown.has(pid)),
		notShown: [...notShown],
		failed,
	};
	return { published, pages };
}

const IN_COLLECTION = 'a content collection has reviews that changed, and any page may show them';

async function filterChanged(
	pids: readonly string[],
	reviews: OpenReviews,
	builtAt: number,
): Promise<readonly string[]> {
	const changed = new Set<string>();
	await inParallel(pids, pids.length, async (pid) => {
		if (await hasCollectionChanged(pid, reviews, builtAt)) changed.add(pid);
	});
	return pids.filter((pid) => changed.has(pid));
}
