import { CommandError } from '../errors.js';
import type { ProductSource } from '../options/schema.js';
import { failuresIn } from '../outcomes/outcomes.js';
import { collectWarnings } from '../report/log.js';
import { countStatuses, type Totals } from '../report/report.js';
import { type ChangedProducts, readBuildChanges } from '../session/changed-products.js';
import { openReviews, type ReviewsContext } from '../session/open-reviews.js';
import { prefetch } from '../session/product-list.js';
import { Progress } from '../session/progress.js';
import { keepAlive, type Logger, type SiteContext } from '../session/run-context.js';
import { type BuildSharing, shareWithOthers, tellOthers } from '../session/shared.js';
import { openStore } from '../store/open-store.js';
import type { ReviewStore } from '../store/review-store.js';
import { amount, count, nameProduct, printableJson } from '../text/words.js';
import type { CommandLine, Options } from './options.js';
import { loadSite } from './site.js';
import { isWatched, misused, onStandardError, say, secondsSince } from './terminal.js';

/** What to refresh, and how to say it. */
export interface RefreshContext
	extends Pick<SiteContext, 'options' | 'connection' | 'storeFile' | 'storage'>,
		Pick<ReviewsContext, 'startService'> {
	/** @default the products that are in the cache */
	readonly products: ProductSource | undefined;
	/** Products that are requested even if they are fresh. */
	readonly changed: ChangedProducts;
	/** The shared storage, if it is open, and knows what changed. @default it is opened, and told */
	readonly shared?: BuildSharing | undefined;
	/** Whether every line of progress is wanted, not only ten. */
	readonly isTerminal: boolean;
	readonly logger: Logger;
	/** Whether it is a part of what several workers do. @default false */
	readonly isPart?: boolean;
}

/** The result of a refresh. */
export interface Refreshed {
	readonly totals: Totals;
	readonly requests: number;
	/** Products for which the service failed. What was cached of them still is. */
	readonly failed: readonly { readonly pid: string; readonly reason: string }[];
	/** How many there are, if not all of them are named. */
	readonly failures?: number;
}

/** Failed products of a shared run that are named; all of them are in the output for programs. */
const MOST_NAMED = 20;

/** Refreshes the cache of a project, and sets the exit code: 1 if the service failed for any product. */
export async function refresh({ args, options }: CommandLine): Promise<string[]> {
	const startedAt = performance.now();
	const url = redisUrl(options);
	// Before the configuration is loaded, which takes a while.
	const workers = url === undefined ? undefined : await loadWorkers();
	const { all, own } = await onStandardError(async () => {
		const { project } = await loadSite(options);
		const site = project.site();
		const logger = { info: say, warn: say };
		const context: RefreshContext = {
			...site,
			products: args.length > 0 ? args : site.options.products,
			changed:
				options.all || args.length > 0 ? { pids: args, all: options.all === true } : readBuildChanges(logger),
			isTerminal: isWatched(),
			logger,
		};
		if (url === undefined || !workers) return { all: await refreshCache(context), own: undefined };
		return workers.refreshWithOthers(url, context);
	});
	process.exitCode = all.failed.length > 0 ? 1 : 0;
	const seconds = secondsSince(startedAt);
	if (options.json) return [`${printableJson({ ...all, ...(own && { worker: own }), seconds })}\n`];
	if (!own) return [describeRefreshed(all, seconds)];
	return [
		describeRefreshed(all, seconds),
		...all.failed.slice(0, MOST_NAMED).map(({ pid, reason }) => `failed: ${nameProduct(pid)}: ${reason}\n`),
		`This worker: ${describeRefreshed(own)}`,
	];
}

function redisUrl({ redis, 'redis-env': name }: Options): string | undefined {
	if (redis !== undefined && name !== undefined)
		throw misused('Give either --redis or --redis-env, not both.');
	if (name === undefined) return redis;
	const url = process.env[name];
	if (url) return url;
	throw new CommandError(
		'PR_USAGE',
		`The variable ${name} is not set.`,
		'Set it to the address of Redis, such as redis://user:password@host:6379.',
	);
}

/**
 * Loads the module that shares the work through Redis. BullMQ is an optional peer dependency: most projects do not need it.
 * @throws CommandError if it is not installed.
 */
async function loadWorkers() {
	try {
		return await import('./refresh-workers.js');
	} catch (cause) {
		if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
		throw new CommandError(
			'PR_REDIS_MISSING',
			'An update by several workers needs BullMQ, which is not installed.',
			'Run: npm install bullmq ioredis',
			{ cause },
		);
	}
}

function describeRefreshed(
	{ totals, requests, failed, failures = failed.length }: Refreshed,
	seconds?: number,
): string {
	const { products, fetched, unchanged, missing } = totals;
	const parts = [
		`${amount(fetched)} fetched`,
		`${amount(unchanged)} unchanged`,
		...(missing > 0 ? [`${amount(missing)} without reviews`] : []),
		`${amount(failures)} failed`,
	];
	const time = seconds === undefined ? '' : ` in ${seconds.toFixed(1)} s`;
	return `${count(products, 'product')}${time} with ${count(requests, 'request')}: ${parts.join(', ')}\n`;
}

/** Products requested at once at most. The service's thread sends as many of them as the options allow. */
const LOOKAHEAD = 256;

/** How often progress is logged and the cache written, in milliseconds. */
const TICK = 1_000;

/**
 * How often a worker with others writes the cache, in milliseconds. What it has not written when it is killed is requested
 * again, by the worker that takes over.
 */
const TICK_OF_PART = 20;

/**
 * Brings the cache up to date as a build would, without one. What is fresh is not requested.
 * @throws ProductReviewsConfigurationError for an invalid option, and ProductListError if the list cannot be read.
 */
export async function refreshCache(context: RefreshContext): Promise<Refreshed> {
	if (context.shared) return refreshProducts(context, async () => {});
	const shared = await shareWithOthers(context);
	try {
		return await refreshProducts({ ...context, shared }, async (store) => {
			if (shared) await tellOthers(shared, store, context.changed);
		});
	} finally {
		await shared?.end();
	}
}

/** @param onOpen called before anything is requested. */
async function refreshProducts(
	context: RefreshContext,
	onOpen: (store: ReviewStore) => Promise<void>,
): Promise<Refreshed> {
	const { shared, logger, isTerminal, isPart = false } = context;
	const warn = (message: string) => logger.warn(message);
	const info = (message: string) => logger.info(message);
	const progress = new Progress(isTerminal, info);
	const opened = openReviews({
		...context,
		command: 'build',
		products: context.products ?? cachedProducts(context),
		onLength: (length) => {
			progress.total = length;
		},
		onRequest: () => progress.begin(),
		warn,
		info,
	});
	const { service, store, list, reviews, reviewData, revalidation, outcomes, requests, advise } = opened;
	await onOpen(store);
	const timers = [
		setInterval(() => !isPart && progress.tick(opened), TICK),
		setInterval(store.flush, isPart ? TICK_OF_PART : TICK),
	];
	process.once('exit', store.close);
	try {
		const data = store.table('review-data');
		const refreshProduct = async (pid: string) => {
			await Promise.all([reviews.refresh(pid), data.entry(pid) && reviewData.refresh(pid)]);
		};
		const listed = revalidation.products;
		const products = listed && (shared?.order(listed) ?? listed);
		if (products)
			await keepAlive(
				prefetch(products, shared?.lookahead ?? LOOKAHEAD, refreshProduct, () => void progress.done++),
			);
		await opened.decideLosses();
		const warnings = collectWarnings(outcomes, { duplicates: list?.duplicates, advise });
		for (const line of warnings) warn(line);
	} finally {
		for (const timer of timers) clearInterval(timer);
		await service.close();
		await shared?.flush();
		process.off('exit', store.close);
		store.close();
	}
	return {
		totals: countStatuses(outcomes.reviews),
		requests: requests.total(),
		failed: failuresIn(outcomes).map(({ pid, reason }) => ({ pid, reason })),
	};
}

/** The products of the cache. @throws CommandError if there are none. */
export function cachedProducts({
	storeFile,
	connection,
}: Pick<RefreshContext, 'storeFile' | 'connection'>): readonly string[] {
	const store = openStore(storeFile, connection.account, () => {});
	const pids = store.pids('reviews');
	store.close();
	if (pids.length > 0) return pids;
	throw new CommandError(
		'PR_NOT_STORED',
		'There is nothing to update: the cache has no products, and the option "products" is not set.',
		'Set "products", name products, or build once.',
	);
}
