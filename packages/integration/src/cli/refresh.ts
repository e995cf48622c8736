import { openCache } from '../cache/open-cache.js';
import { CommandError } from '../errors.js';
import type { ProductSource } from '../options/schema.js';
import { failuresIn } from '../outcomes/outcomes.js';
import { collectWarnings } from '../report/log.js';
import { countStatuses, type Totals } from '../report/report.js';
import type { ChangedProducts } from '../session/changed-products.js';
import { openReviews, type ReviewsContext } from '../session/open-reviews.js';
import { keepAlive, type Logger, type SiteContext } from '../session/run-context.js';
import { shareWithOthers, tellOthers } from '../session/shared.js';
import { amount } from '../text/words.js';
import { sayingProgress } from './terminal.js';

export interface RefreshContext
	extends Pick<SiteContext, 'options' | 'connection' | 'cacheFile' | 'storage'>,
		Pick<ReviewsContext, 'startService' | 'shared'> {
	/** @default the products that are in the cache */
	readonly products: ProductSource | undefined;
	/** Products that are requested even if they are fresh. */
	readonly changed: ChangedProducts;
	readonly logger: Logger;
	/** Whether it is a part of what several workers do, who have opened `shared` and told others. @default false */
	readonly isPart?: boolean;
}

export interface Refreshed {
	readonly totals: Totals;
	readonly requests: number;
	/** Products for which the service failed. What was cached of them still is. */
	readonly failed: readonly { readonly pid: string; readonly reason: string }[];
	/** How many there are: of many workers, not all of them are named. */
	readonly failures: number;
}

/** How often the cache is written, in milliseconds. */
const FLUSH_EVERY = 1_000;

/** The same, of a worker with others. What it has not written when it is killed is requested again. */
const FLUSH_PART_EVERY = 20;

/**
 * Brings the cache up to date as a build would, without one. What is fresh is not requested.
 * @throws ProductReviewsConfigurationError for an invalid option, and ProductListError if the list cannot be read.
 */
export async function refreshCache(context: RefreshContext): Promise<Refreshed> {
	if (context.isPart) return refreshProducts(context);
	const shared = await shareWithOthers(context);
	try {
		return await refreshProducts({ ...context, shared });
	} finally {
		await shared?.end();
	}
}

async function refreshProducts(context: RefreshContext): Promise<Refreshed> {
	const { shared, logger, changed, isPart = false } = context;
	const warn = (message: string) => logger.warn(message);
	const sayProgress = sayingProgress();
	let [done, total] = [0, ''];
	const opened = openReviews({
		...context,
		command: 'build',
		products: context.products ?? cachedProducts(context),
		onLength: (length) => {
			total = ` of ${amount(length)}`;
		},
	});
	const { service, cache, list, reviews, reviewData, outcomes, requests, advise } = opened;
	if (shared && !isPart) await tellOthers(shared, cache, changed);
	const timer = setInterval(() => cache.flush(), isPart ? FLUSH_PART_EVERY : FLUSH_EVERY);
	const close = () => cache.close();
	process.once('exit', close);
	try {
		const data = cache.table('review-data');
		const refreshProduct = async (pid: string) => {
			await Promise.all([reviews.refresh(pid), data.entry(pid) && reviewData.refresh(pid)]);
		};
		const onDone = () => {
			done += 1;
			if (!isPart)
				sayProgress(() => `${amount(done)}${total} products, ${amount(requests.totals.total)} requests`);
		};
		await keepAlive(opened.readList(refreshProduct, onDone));
		await opened.decideLosses();
		const warnings = collectWarnings(outcomes, { duplicates: list?.duplicates, advise });
		for (const line of warnings) warn(line);
	} finally {
		clearInterval(timer);
		await service.close();
		await shared?.flush();
		process.off('exit', close);
		cache.close();
	}
	const failed = failuresIn(outcomes).map(({ pid, reason }) => ({ pid, reason }));
	const totals = countStatuses(outcomes.reviews);
	return { totals, requests: requests.totals.total, failed, failures: failed.length };
}

/** The products of the cache. @throws CommandError if there are none. */
export function cachedProducts({
	cacheFile,
	connection,
}: Pick<RefreshContext, 'cacheFile' | 'connection'>): readonly string[] {
	const cache = openCache(cacheFile, connection.account, () => {});
	const pids = cache.pids('reviews');
	cache.close();
	if (pids.length > 0) return pids;
	throw new CommandError(
		'PR_NOT_STORED',
		'There is nothing to update: the cache has no products, and the option "products" is not set.',
		'Set "products", name products, or build once.',
	);
}
