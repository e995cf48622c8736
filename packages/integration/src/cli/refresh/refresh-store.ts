import { CommandError } from '../../errors.js';
import type { ProductSource } from '../../options/schema.js';
import { failuresIn } from '../../outcomes/product-outcomes.js';
import { collectWarnings } from '../../report/collect-warnings.js';
import { countStatuses, type Totals } from '../../report/count-statuses.js';
import { createProgress } from '../../session/create-progress.js';
import { keepAlive } from '../../session/keep-alive.js';
import type { OpenBuildStorage } from '../../session/open-build-storage.js';
import { type OpenReviews, openReviews, type ReviewsContext } from '../../session/open-reviews.js';
import { prefetch } from '../../session/prefetch.js';
import type { ChangedProducts } from '../../session/read-changed-products.js';
import type { Logger, SiteContext } from '../../session/run-context.js';
import { shareWithOthers } from '../../session/share-with-others.js';
import { tellOthers } from '../../session/tell-others.js';
import { openStore } from '../../store/open-store.js';
import type { ReviewStore } from '../../store/review-store.js';

/** What to refresh, and how to say it. */
export interface RefreshContext
	extends Pick<SiteContext, 'options' | 'connection' | 'storeFile' | 'storage'>,
		Pick<ReviewsContext, 'startService'> {
	/** @default the products that are in the store */
	readonly products: ProductSource | undefined;
	/** Products that are requested even if they are fresh. */
	readonly changed: ChangedProducts;
	/** The shared storage, if it is open, and knows what changed. @default it is opened, and told */
	readonly shared?: OpenBuildStorage | undefined;
	/** Whether every line of progress is wanted, not only ten. */
	readonly isTerminal: boolean;
	readonly logger: Logger;
	/** Whether progress is logged. @default true */
	readonly hasProgress?: boolean;
	/** How often the store is written, in milliseconds. @default 1,000 */
	readonly flushEvery?: number;
	/** Whether failed products are tried again later. They are then in no total and no warning. @default false */
	readonly isTriedAgain?: boolean;
}

/** What a refresh did. */
export interface Refreshed {
	readonly totals: Totals;
	readonly requests: number;
	/** Products for which the service failed. What was stored of them still is. */
	readonly failed: readonly { readonly pid: string; readonly reason: string }[];
}

/** Products requested at once at most. The service's thread sends as many of them as the options allow. */
const LOOKAHEAD = 256;

/** How often progress is logged, in milliseconds. */
const TICK = 1_000;

/**
 * Brings the store up to date as a build would, without one. What is fresh is not requested.
 * @throws ProductReviewsConfigurationError for an invalid option, and ProductListError if the list cannot be read.
 */
export async function refreshStore(context: RefreshContext): Promise<Refreshed> {
	if (context.shared) return refreshWith(context);
	const shared = await shareWithOthers(context);
	try {
		return await refreshWith({ ...context, shared }, (store) => {
			if (shared) tellOthers(shared, store, context.changed);
		});
	} finally {
		await shared?.end();
	}
}

/** @param onOpen called before anything is requested. */
async function refreshWith(
	context: RefreshContext,
	onOpen: (store: ReviewStore) => void = () => {},
): Promise<Refreshed> {
	const { shared } = context;
	const { logger, isTerminal, hasProgress = true, flushEvery = TICK, isTriedAgain = false } = context;
	const warn = (message: string) => logger.warn(message);
	const info = (message: string) => logger.info(message);
	const progress = createProgress({ isTerminal, now: Date.now, log: info });
	const reviews = openReviews({
		...context,
		command: 'build',
		products: context.products ?? storedProducts(context),
		onLength: progress.setTotal,
		onRequest: progress.begin,
		warn,
		info,
	});
	const { service, store, list, revalidation, outcomes, requests, advise } = reviews;
	onOpen(store);
	const timers = [
		setInterval(() => hasProgress && progress.tick(reviews), TICK),
		setInterval(store.flush, flushEvery),
	];
	process.once('exit', store.close);
	try {
		const refresh = refreshProduct(reviews);
		const listed = revalidation.products;
		const products = listed && (shared?.order(listed) ?? listed);
		if (products)
			await keepAlive(prefetch(products, shared?.lookahead ?? LOOKAHEAD, refresh, progress.addDone));
		await reviews.decideLosses();
		const warnings = collectWarnings(outcomes, { duplicates: list?.duplicates, advise, isTriedAgain });
		for (const line of warnings) warn(line);
	} finally {
		for (const timer of timers) clearInterval(timer);
		await service.close();
		await shared?.flush();
		process.off('exit', store.close);
		store.close();
	}
	const failed = failuresIn(outcomes).map(({ pid, reason }) => ({ pid, reason }));
	return {
		totals: countStatuses(outcomes.reviews, new Set(isTriedAgain ? failed.map(({ pid }) => pid) : [])),
		requests: requests.total(),
		failed,
	};
}

/** The products of the store. @throws CommandError if there are none. */
export function storedProducts({
	storeFile,
	connection,
}: Pick<RefreshContext, 'storeFile' | 'connection'>): readonly string[] {
	const store = openStore(storeFile, connection.account, () => {});
	const pids = store.pids('reviews');
	store.close();
	if (pids.length > 0) return pids;
	throw new CommandError(
		'PR_NOT_STORED',
		'There is nothing to refresh: the store has no products, and the option "products" is not set.',
		'Set "products", name products, or build once.',
	);
}

/** Requests what the store has of a product, and its reviews in any case. */
function refreshProduct({ store, reviews, reviewData }: OpenReviews): (pid: string) => Promise<void> {
	const data = store.table('review-data');
	return async (pid) => {
		await Promise.all([reviews.refresh(pid), data.entry(pid) && reviewData.refresh(pid)]);
	};
}
