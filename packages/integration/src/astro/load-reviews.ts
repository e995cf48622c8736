import type { LoaderContext } from 'astro/loaders';
import { createSession } from '../build/build-source.js';
import { keepAlive } from '../build/keep-alive.js';
import { openProductList } from '../build/open-product-list.js';
import { prefetch } from '../build/prefetch.js';
import { readBuildChanges } from '../build/read-build-changes.js';
import { revalidateBuild } from '../build/revalidate-build.js';
import { createAdvice } from '../failures/create-advice.js';
import type { ProductSource } from '../options/schema.js';
import { createTally } from '../outcomes/tally.js';
import { formDataAuthors } from '../render/form-authors.js';
import { collectWarnings } from '../report/collect-warnings.js';
import { startReviewService } from '../service/start-review-service.js';
import { digestOf } from '../store/digest-of.js';
import { openStore } from '../store/open-store.js';
import type { SiteContext } from './review-sites.js';

/**
 * Fills a collection with the review data of products, as many at once as the service is asked for, and takes products
 * out that are no more. Entries whose data is the same stay as they are.
 * @throws what {@link ReviewSession.assertWhole} and the product list throw.
 */
export async function loadReviews(
	{ options, connection, storeFile }: SiteContext,
	products: ProductSource,
	{ store: collection, logger, parseData, watcher }: LoaderContext,
): Promise<void> {
	const warn = (message: string) => logger.warn(message);
	const now = Date.now;
	const tally = createTally();
	const service = startReviewService(connection, options, { warn });
	const store = openStore(storeFile, connection.account, warn);
	const list = openProductList(products, () => {});
	const changed = readBuildChanges(warn);
	const advise = createAdvice({
		...options,
		credentials: () => connection,
		hasAnswered: () => tally.fetched > 0,
	});
	const revalidation = revalidateBuild({
		advise,
		options,
		connection,
		changed,
		products: list.products,
		service,
		store,
		now,
		warn,
	});
	const session = createSession({
		service,
		store,
		options,
		tally,
		now,
		command: watcher ? 'dev' : 'build',
		onFailure: () => {},
		advise,
		revalidation,
	});
	const table = store.table('review-data');
	const gone = new Set(collection.keys());

	const load = async (pid: string): Promise<void> => {
		const data = await session.getReviewData(pid);
		if (!data) return;
		gone.delete(pid);
		// A change of the option renders the entry anew, and asks the service for nothing.
		const digest = digestOf(JSON.stringify([table.entry(pid)?.digest, options.author]));
		if (collection.get(pid)?.digest === digest) return;
		const shown = formDataAuthors(data, options.author);
		collection.set({ id: pid, data: await parseData({ id: pid, data: { ...shown } }), digest });
	};
	try {
		if (revalidation.products) {
			await keepAlive(prefetch(revalidation.products, options.concurrency, load, () => {}));
		}
		const onError = watcher ? 'omit' : options.onError;
		for (const line of collectWarnings(tally, [], [...list.duplicates], onError, advise)) warn(line);
		if (!watcher) session.assertWhole();
		for (const pid of gone) collection.delete(pid);
	} finally {
		await service.close();
		store.close();
	}
}
