import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { openCache, type ReviewCache } from '../cache/open-cache.js';
import { isUnusable, openExistingFile } from '../cache/open-database.js';
import { SENT_KINDS } from '../cache/review-cache.js';
import { findProducts, markProducts } from '../cache/rows.js';
import { pack } from '../cache/values.js';
import { CommandError } from '../errors.js';
import type { Revalidation } from '../fetching/revalidation.js';
import { lockOutput } from '../project/lock-output.js';
import { type Manifest, openOutput } from '../project/manifest.js';
import { openReviews } from '../session/open-reviews.js';
import { keepAlive } from '../session/run-context.js';
import { shareWithOthers, tellOthers } from '../session/shared.js';
import { connectionOf, environmentOf, storageOf } from '../session/trust.js';
import { type GivenFeeds, renewRatings, writeFeeds } from './renew-feeds.js';
import { renewSitemaps } from './sitemaps.js';
import { type UpdateResult, updateProducts } from './update-products.js';

/** How long an update waits for a build or another update, in milliseconds: 10 minutes. */
const PATIENCE = 600_000;

export interface RunContext {
	readonly cacheFile: string;
	/** Folder of the project, if it is known: a build of another one is left alone. */
	readonly root?: string | undefined;
	/** The output folder to update, relative to it. @default that of the last build */
	readonly outDir?: string | undefined;
	/** Whether to say what would be done, and do nothing. */
	readonly isDryRun: boolean;
	/** The files of all products, to be written, too. @default those are left as they are */
	readonly feeds?: GivenFeeds | undefined;
	/** Whether somebody is to be told which files changed. If nobody can be, the next run says it again. */
	readonly tells?: boolean;
	readonly warn: (message: string) => void;
	readonly onWait: () => void;
	readonly onProgress: (done: number, total: number) => void;
}

export type GivenProducts = readonly string[] | 'marked' | 'all';

export interface RunResult {
	readonly result: UpdateResult;
	/** The folder of the pages, and what to call when somebody was told of the files. */
	readonly target?: { readonly folder: string; readonly told: () => Promise<void> };
}

export async function runUpdate(given: GivenProducts, context: RunContext): Promise<RunResult> {
	try {
		return await updateAlone(given, context);
	} catch (error) {
		try {
			markGiven(given, context);
		} catch {
			// The first error is the one to report.
		}
		throw error;
	}
}

async function updateAlone(given: GivenProducts, context: RunContext): Promise<RunResult> {
	const { onWait } = context;
	const leaveAll = (reason: string): RunResult => {
		markGiven(given, context);
		const rebuild = [{ page: null, reason }];
		return { result: { files: [], rebuild, unchanged: [], notShown: [], failed: [] } };
	};
	const known = openOutput(context);
	if (known.outDir === undefined) return leaveAll(known.reason);
	// A build that has not finished may be one that is running.
	const unlock = await lockOutput({ root: known.root, outDir: known.outDir, patience: PATIENCE, onWait });
	if (!unlock) {
		throw new CommandError(
			'PR_OUTPUT_BUSY',
			'Another build or update has held the output folder for 10 minutes.',
			'End it, and run the update again.',
		);
	}
	try {
		// A build may have finished in the meantime.
		const { build, reason } = openOutput(context);
		return build ? await keepAlive(updateBuild(given, build, context)) : leaveAll(reason);
	} finally {
		unlock();
	}
}

/** Whoever knows what changed may not say it again, so the cache keeps it. */
function markGiven(given: GivenProducts, { cacheFile, isDryRun }: RunContext): void {
	if (isDryRun || given === 'marked') return;
	try {
		const database = openExistingFile(cacheFile);
		try {
			markProducts(database, given === 'all' ? findProducts(database) : given, Date.now());
		} finally {
			database.close();
		}
	} catch (error) {
		// Without a cache, the next build asks for everything anyway.
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !isUnusable(error)) throw error;
	}
}

/** Age does not matter: what changed is named or marked. In milliseconds. */
const NEVER = Number.MAX_SAFE_INTEGER;

async function updateBuild(
	given: GivenProducts,
	build: Manifest,
	{ cacheFile, isDryRun, feeds, tells = false, warn, onProgress }: RunContext,
): Promise<RunResult> {
	const options = { ...build.options, onError: 'stale', revalidate: 'age', maxAge: NEVER } as const;
	const environment = environmentOf(build);
	const logger = { info: warn, warn };
	const connection = await connectionOf(build, environment);
	const changed = { pids: typeof given === 'string' ? [] : given, all: given === 'all' };
	const shared = isDryRun
		? undefined
		: await shareWithOthers({
				storage: storageOf(build, environment, warn),
				connection,
				options,
				logger,
			});
	const reviews = openReviews({
		command: 'build',
		options,
		connection,
		cacheFile,
		shared,
		changed,
		logger,
	});
	if (shared) await tellOthers(shared, reviews.cache, changed);
	const { cache, service, revalidation } = reviews;
	const unfinished = openUnfinished(cache, build.at, Date.now());
	const pids = [...new Set([...unfinished.pids, ...productsOf(given, cache, revalidation)])];
	try {
		// Those that fail, or are not reached, are asked for by the next run, whatever it is given.
		if (given === 'all') revalidation.mark(pids);
		const run = unfinished.begin(pids, tells && !isDryRun);
		const folder = resolve(build.root, build.folder);
		const where = { build, folder, isDryRun, isResumed: unfinished.pids.length > 0 };
		const { result, pages } = await updateProducts(pids, {
			...where,
			reviews,
			since: unfinished.since,
			onProgress: (done) => onProgress(done, pids.length),
		});
		const times = new Map([...pages].filter((page): page is [string, number] => page[1] !== undefined));
		const renewed = feeds
			? await writeFeeds(feeds, reviews, { ...where, warn })
			: build.options.feeds.ratings
				? await renewRatings(pids, reviews, where)
				: [];
		const files = [...[...result.files, ...renewed].toSorted(), ...(await renewSitemaps(times, where))];
		// Whoever is to be told of files ends the run after that.
		const isLeft = tells && files.length > 0;
		if (!isDryRun && !isLeft) unfinished.end(run, tells);
		const told = async () => (isLeft ? endRun(run, cacheFile, build, connection.account) : undefined);
		const failures = feeds ? reviews.outcomes['review-data'].failures : [];
		const failed = new Map([...result.failed, ...failures].map(({ pid, reason }) => [pid, { pid, reason }]));
		return {
			result: { ...result, files, failed: [...failed.values()] },
			target: { folder, told },
		};
	} finally {
		await service.close();
		await shared?.end();
		cache.close();
	}
}

function productsOf(given: GivenProducts, cache: ReviewCache, revalidation: Revalidation): readonly string[] {
	if (typeof given !== 'string') return given;
	if (given === 'all') return cache.pages().products();
	return cache.pids('mark').filter((pid) => revalidation.isOutdated(pid, oldestOf(cache, pid)));
}

function oldestOf(cache: ReviewCache, pid: string): number {
	const times = SENT_KINDS.map((kind) => cache.table(kind).entry(pid)?.fetchedAt ?? Number.POSITIVE_INFINITY);
	const oldest = Math.min(...times);
	return Number.isFinite(oldest) ? oldest : Number.NEGATIVE_INFINITY;
}

/** Key of the products that a run which was killed, a dry run, or one that could tell nobody, leaves to the next one. */
const UNFINISHED = 'unfinished';

interface UnfinishedRun {
	readonly run: string;
	readonly pids: readonly string[];
	/** Whether somebody is still to be told of files. A run that tells nobody leaves that to one that does. */
	readonly isUntold: boolean;
}

/** @param builtAt when the last build ended, which brings all files to whoever is told. */
function openUnfinished(cache: ReviewCache, builtAt: number, now: number) {
	const table = cache.table<UnfinishedRun>('output');
	const { value, fetchedAt = now } = table.get(UNFINISHED) ?? {};
	const pids = value?.pids ?? [];
	const since = pids.length > 0 ? fetchedAt : now;
	const wasUntold = value?.isUntold === true && since >= builtAt;
	return {
		pids,
		/**
		 * When the first of them began, in milliseconds since 1970. Pages that it wrote are not written again, but nobody
		 * may know of them, and their sitemap may still be as it was.
		 */
		since,
		begin(given: readonly string[], tells: boolean): string {
			const run = randomUUID();
			table.put(UNFINISHED, pack({ run, pids: given, isUntold: tells || wasUntold }), since);
			cache.flush();
			return run;
		},
		/** Ends a run, unless another one has begun since: that one has the same products. */
		end(run: string, isTold: boolean): void {
			const { value: begun } = table.get(UNFINISHED) ?? {};
			if (begun?.run !== run || (begun.isUntold && !isTold)) return;
			table.put(UNFINISHED, pack({ run: '', pids: [], isUntold: false }), Date.now());
		},
	};
}

/** Ends a run after somebody was told of its files. If another one has begun, that one ends both. */
async function endRun(run: string, cacheFile: string, build: Manifest, account: string): Promise<void> {
	const outDir = resolve(build.root, build.outDir);
	const unlock = await lockOutput({ root: build.root, outDir, patience: 0, onWait: () => {} });
	if (!unlock) return;
	const cache = openCache(cacheFile, account, () => {});
	try {
		openUnfinished(cache, build.at, Date.now()).end(run, true);
	} finally {
		cache.close();
		unlock();
	}
}
