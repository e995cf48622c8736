import type { OpenReviews } from '../build/open-reviews.js';
import type { Output } from '../build/output.js';
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
	readonly output: Output;
	/** Absolute path of the output folder. */
	readonly folder: string;
	readonly isDryRun: boolean;
	/** Called with the number of products that are done. */
	readonly onProgress: (done: number) => void;
}

/** Asks the service for products, and brings what changed into their pages. */
export async function publishProducts(
	pids: readonly string[],
	{ reviews, output, folder, isDryRun, onProgress }: ProductsContext,
): Promise<Published> {
	const { store } = reviews;
	const table = store.pages<StoredPage>();
	const contents = createContents(reviews, output.options);
	const context = { folder, base: output.base, table, flush: store.flush, contents, isDryRun };
	const files = new Set<string>();
	const changed = new Set<string>();
	const rebuild = new Map<string | null, string>();
	for (let at = 0; at < pids.length; at += BATCH) {
		const batch = pids.slice(at, at + BATCH);
		// Before the pages ask for the same data.
		const inCollection = output.hasCollection ? await filterChanged(batch, reviews) : [];
		if (inCollection.length > 0) rebuild.set(null, IN_COLLECTION);
		for (const pid of inCollection) changed.add(pid);
		for await (const result of publishPages(table.showing(batch), new Set(batch), context)) {
			if (result.file !== undefined) files.add(result.file);
			if (result.reason !== undefined) rebuild.set(result.page, result.reason);
			for (const pid of result.pids) changed.add(pid);
		}
		onProgress(Math.min(at + BATCH, pids.length));
	}
	const failed = [...contents.failed.values()];
	return {
		files: [...files].toSorted(),
		rebuild: [...rebuild].map(([page, reason]) => ({ page, reason })),
		unchanged: pids.filter((pid) => !changed.has(pid) && !contents.failed.has(pid)),
		failed,
	};
}

const IN_COLLECTION = 'a content collection has reviews that changed, and any page may show them';

async function filterChanged(pids: readonly string[], reviews: OpenReviews): Promise<readonly string[]> {
	const changes = await Promise.all(pids.map((pid) => hasCollectionChanged(pid, reviews)));
	return pids.filter((_pid, index) => changes[index]);
}
