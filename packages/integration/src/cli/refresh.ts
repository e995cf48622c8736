import { keepAlive } from '../base/async.js';
import { amount, count, printableJson } from '../base/words.js';
import { CacheFile } from '../cache/cache-file.js';
import { ProductStore } from '../cache/product-store.js';
import { CommandError } from '../errors.js';
import type { ProductSource } from '../options/schema.js';
import { type ChangedProducts, readBuildChanges } from '../project/changed-products.js';
import { collectWarnings } from '../project/log-lines.js';
import { openReviews, type ReviewsContext } from '../project/open-reviews.js';
import { countStatuses } from '../project/report.js';
import { failuresIn } from '../reviews/results.js';
import { loadSite } from './site.js';
import { type CommandLine, onStandardError, say, sayingProgress } from './terminal.js';

/** Refreshes the cache of a project, and sets the exit code: 1 if the service failed for any product. */
export async function refresh({ args, options }: CommandLine): Promise<string[]> {
	const startedAt = performance.now();
	const refreshed = await onStandardError(async () => {
		const { project, options: configured } = await loadSite(options);
		const site = project.site();
		const logger = { info: say, warn: say };
		project.pointToCache(logger);
		const changed =
			options.all || args.length > 0 ? { pids: args, all: options.all === true } : readBuildChanges(logger);
		const products = args.length > 0 ? args : configured.products;
		return refreshCache({ ...site, products, changed, logger });
	});
	process.exitCode = refreshed.failed.length > 0 ? 1 : 0;
	const seconds = (performance.now() - startedAt) / 1_000;
	return [options.json ? `${printableJson({ ...refreshed, seconds })}\n` : describe(refreshed, seconds)];
}

export interface RefreshContext extends Omit<ReviewsContext, 'command' | 'products' | 'changed'> {
	/** @default the products that are in the cache */
	readonly products: ProductSource | undefined;
	/** Products that are requested even if they are fresh. */
	readonly changed: ChangedProducts;
}

/**
 * Brings the cache up to date as a build would, without a build. Fresh products are not requested.
 * @returns counts, and the products for which the service failed, whose cached reviews stay.
 * @throws ProductReviewsConfigurationError for an invalid option, and if the list cannot be read.
 */
export async function refreshCache(context: RefreshContext) {
	const { logger, changed } = context;
	const sayProgress = sayingProgress();
	let [done, total] = [0, ''];
	const opened = await openReviews({
		...context,
		command: 'build',
		products: context.products ?? cachedProducts(context),
		onLength: (length) => (total = ` of ${amount(length)}`),
	});
	const { store, list, reviews, reviewData, results, requests, advise } = opened;
	try {
		await opened.broadcast(changed);
		const refreshProduct = async (pid: string) => {
			await Promise.all([reviews.refresh(pid), store.entry(pid, 'review-data') && reviewData.refresh(pid)]);
			done += 1;
			sayProgress(() => `${amount(done)}${total} products, ${amount(requests.totals.total)} requests`);
		};
		await keepAlive(opened.readList(refreshProduct));
		await opened.judgeVanished();
		const warnings = collectWarnings(results, { duplicates: list?.duplicates, advise });
		for (const line of warnings) logger.warn(line);
	} finally {
		await opened.end();
		await opened.close();
	}
	const failed = failuresIn(results).map(({ pid, reason }) => ({ pid, reason }));
	return { totals: countStatuses(results.reviews), requests: requests.totals.total, failed };
}

/** Returns the products of the cache. @throws CommandError if there are none. */
function cachedProducts({ cacheFile, connection }: RefreshContext): readonly string[] {
	const cache = CacheFile.forBuild(cacheFile, () => {});
	const store = new ProductStore(cache, connection.account);
	const pids = store.pids('reviews');
	store.close();
	if (pids.length > 0) return pids;
	throw new CommandError(
		'PR_NOT_CACHED',
		'There is nothing to refresh: the cache has no products, and the option "products" is not set.',
		'Set "products", name products, or build once.',
	);
}

type Refreshed = Awaited<ReturnType<typeof refreshCache>>;

function describe({ totals, requests, failed }: Refreshed, seconds: number): string {
	const { products, fetched, unchanged, missing } = totals;
	const without = missing > 0 ? `, ${amount(missing)} without reviews` : '';
	const results = `${amount(fetched)} fetched, ${amount(unchanged)} unchanged${without}, ${amount(failed.length)} failed`;
	return `${count(products, 'product')} in ${seconds.toFixed(1)} s with ${count(requests, 'request')}: ${results}\n`;
}
