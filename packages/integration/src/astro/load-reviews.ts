import type { LoaderContext } from 'astro/loaders';
import { keepAlive } from '../build/keep-alive.js';
import { openReviews } from '../build/open-reviews.js';
import { prefetch } from '../build/prefetch.js';
import { readBuildChanges } from '../build/read-build-changes.js';
import { reviewsCollections } from '../build/reviews-collections.js';
import type { SiteContext } from '../build/run-context.js';
import { shareWithOthers } from '../build/share-with-others.js';
import { tellOthers } from '../build/tell-others.js';
import type { ProductSource } from '../options/schema.js';
import { formDataAuthors } from '../render/form-authors.js';
import { collectWarnings } from '../report/collect-warnings.js';
import { digestOf } from '../store/pack.js';

/**
 * Fills a collection with the review data of products, within the limit of concurrent requests, and removes products that no
 * longer exist. Entries with the same data are left as they are.
 * @throws what {@link ReviewSession.assertWhole} and the product list throw.
 */
export async function loadReviews(
	site: SiteContext,
	products: ProductSource,
	{ store: collection, logger, parseData, watcher }: LoaderContext,
): Promise<void> {
	const warn = (message: string) => logger.warn(message);
	const changed = readBuildChanges(logger);
	const { options, connection, storeFile } = site;
	const shared = watcher ? undefined : await shareWithOthers({ ...site, logger });
	const reviews = openReviews({
		command: watcher ? 'dev' : 'build',
		options,
		connection,
		storeFile,
		shared,
		lookUp: 'reviewData',
		products,
		changed,
		warn,
		info: (message) => logger.info(message),
	});
	const { service, store, list, revalidation, outcomes, reviewData, advise } = reviews;
	if (shared) tellOthers(shared, store, changed);
	const table = store.table('review-data');
	reviewsCollections().set(connection.account, true);
	const gone = new Set(collection.keys());

	const load = async (pid: string): Promise<void> => {
		const data = await keepAlive(reviewData.load(pid));
		if (!data) return;
		gone.delete(pid);
		// A change of the option only sets the entry again, without a request.
		const digest = digestOf(JSON.stringify([table.entry(pid)?.digest, options.author]));
		if (collection.get(pid)?.digest === digest) return;
		const shown = { ...formDataAuthors(data, options.author) };
		collection.set({ id: pid, data: await parseData({ id: pid, data: shown }), digest });
	};
	try {
		const { products: listed } = revalidation;
		const asked = listed && (shared?.order(listed) ?? listed);
		if (asked) await keepAlive(prefetch(asked, options.concurrency, load, () => {}));
		const onError = watcher ? 'omit' : options.onError;
		const warnings = collectWarnings(outcomes, { duplicates: list?.duplicates, onError, advise });
		for (const line of warnings) warn(line);
		if (!watcher) reviews.assertWhole();
		for (const pid of gone) collection.delete(pid);
	} finally {
		await service.close();
		await shared?.end();
		store.close();
	}
}
