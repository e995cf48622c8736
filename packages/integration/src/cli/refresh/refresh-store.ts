import { PRODUCTS_PER_REQUEST } from '../../cache/collect-ratings.js';
import { CommandError } from '../../errors.js';
import type { ProductSource } from '../../options/schema.js';
import { failuresIn } from '../../outcomes/outcomes.js';
import { collectWarnings } from '../../report/log.js';
import { countStatuses, type Totals } from '../../report/report.js';
import type { ChangedProducts } from '../../session/changed-products.js';
import type { OpenBuildStorage } from '../../session/open-build-storage.js';
import { type OpenReviews, openReviews, type ReviewsContext } from '../../session/open-reviews.js';
import { prefetch } from '../../session/product-list.js';
import { Progress } from '../../session/progress.js';
import { keepAlive, type Logger, type SiteContext } from '../../session/run-context.js';
import { shareWithOthers, tellOthers } from '../../session/shared.js';
import { openStore } from '../../store/open-store.js';
import { RESOURCES, type ReviewStore } from '../../store/review-store.js';

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
 * @throws ProductReviewsConfigurationError for an invalid option, or a list that cannot be read.
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
	const progress = new Progress(isTerminal, info);
	const reviews = openReviews({
		...context,
		command: 'build',
		products: context.products ?? storedProducts(context),
		onLength(length) {
			progress.total = length;
		},
		onRequest: () => progress.begin(),
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
			await keepAlive(
				prefetch(products, shared?.lookahead ?? LOOKAHEAD, refresh, () => void progress.done++),
			);
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

/** Products that one worker refreshes at a time. */
export interface Chunk {
	readonly pids: readonly string[];
	/** Those of them that are requested even if they are fresh. */
	readonly changed: ChangedProducts;
	/** Whether they failed before, and are not tried again. */
	readonly isLastTry: boolean;
}

/** As many as fit into one request for ratings. */
export const CHUNK_SIZE = PRODUCTS_PER_REQUEST;

/**
 * How often a worker writes the store, in milliseconds. What it has not written when it is killed is requested again, by
 * the worker that takes over.
 */
const FLUSH_EVERY = 20;

/** Splits a product list into chunks. Only one of them is in memory. */
export async function* toChunks(
	products: AsyncIterable<string>,
	{ pids, all }: ChangedProducts,
): AsyncGenerator<Chunk, void, undefined> {
	const changed = new Set(pids);
	const chunkOf = (ids: readonly string[]): Chunk => ({
		pids: ids,
		changed: { pids: ids.filter((pid) => changed.has(pid)), all },
		isLastTry: false,
	});
	let waiting: string[] = [];
	for await (const pid of products) {
		waiting.push(pid);
		if (waiting.length < CHUNK_SIZE) continue;
		yield chunkOf(waiting);
		waiting = [];
	}
	if (waiting.length > 0) yield chunkOf(waiting);
}

/**
 * Refreshes the products of a chunk. Those that were fetched since the run started are not requested again: another worker
 * got to them, and ended before it was done with the chunk.
 * @param startedAt when the run started, in milliseconds since 1970.
 */
export async function refreshChunk(
	{ pids, changed, isLastTry }: Chunk,
	startedAt: number,
	context: Omit<RefreshContext, 'products' | 'changed'>,
): Promise<Refreshed> {
	const done = fetchedSince(startedAt, pids, context);
	const products = pids.filter((pid) => !done.has(pid));
	const refreshed =
		products.length === 0
			? NOTHING
			: await refreshStore({
					...context,
					products,
					changed: { ...changed, pids: changed.pids.filter((pid) => !done.has(pid)) },
					flushEvery: FLUSH_EVERY,
					isTriedAgain: !isLastTry,
				});
	const { totals } = refreshed;
	return {
		...refreshed,
		totals: {
			...totals,
			products: totals.products + done.size,
			fetched: totals.fetched + done.size,
		},
	};
}

/** What a refresh of no products does. */
export const NOTHING: Refreshed = {
	totals: { products: 0, fetched: 0, unchanged: 0, missing: 0, stale: 0, failed: 0 },
	requests: 0,
	failed: [],
};

function fetchedSince(
	startedAt: number,
	pids: readonly string[],
	{ storeFile, connection }: Pick<RefreshContext, 'storeFile' | 'connection'>,
): ReadonlySet<string> {
	// If it cannot be opened, the refresh says so.
	const store = openStore(storeFile, connection.account, () => {});
	const stored = RESOURCES.map((resource) => store.table(resource).entries(pids));
	store.close();
	const isDone = (pid: string) => {
		const entries = stored.flatMap((found) => found.get(pid) ?? []);
		return (
			entries.length > 0 &&
			entries.every(({ state, fetchedAt }) => state === 'fetched' && fetchedAt >= startedAt)
		);
	};
	return new Set(pids.filter(isDone));
}

/** Failed products that are listed. The others are only counted. */
export const MOST_FAILED = 1_000;

/** What the workers of a run did together, or one of them. */
export interface RefreshSum extends Refreshed {
	/** How many products failed. At most a thousand of them are in {@link Refreshed.failed}. */
	readonly failures: number;
}

/** Adds what was done with one chunk. @param isLastTry whether failed products are not tried again. */
export function addUp(
	sum: RefreshSum,
	{ totals, requests, failed }: Refreshed,
	isLastTry: boolean,
): RefreshSum {
	const final = isLastTry ? failed : [];
	return {
		totals: addTotals(sum.totals, totals),
		requests: sum.requests + requests,
		failures: sum.failures + final.length,
		failed: [...sum.failed, ...final].slice(0, MOST_FAILED),
	};
}

function addTotals(one: Totals, other: Totals): Totals {
	const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof Totals>;
	return Object.fromEntries(
		[...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]),
	) as unknown as Totals;
}
