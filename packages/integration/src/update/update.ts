import { resolve } from 'node:path';
import type { Revalidation } from '../cache/revalidation.js';
import { CommandError } from '../errors.js';
import { resolveConnection } from '../options/connection.js';
import type { LastBuild } from '../session/last-build.js';
import { lockOutput } from '../session/lock-output.js';
import { openReviews } from '../session/open-reviews.js';
import { keepAlive } from '../session/run-context.js';
import { shareWithOthers, tellOthers } from '../session/shared.js';
import { connectionOf, environmentOf, storageOf } from '../session/trust.js';
import { isUnusable, openExistingFile } from '../store/open-database.js';
import { openStore, type ReviewStore } from '../store/open-store.js';
import { SENT_KINDS } from '../store/review-store.js';
import { findProducts, markProducts } from '../store/rows.js';
import { openOutput } from './output.js';
import { renewSitemaps } from './sitemaps.js';
import { openUnfinished } from './unfinished.js';
import { type UpdatedProducts, type UpdateResult, updateProducts } from './update-products.js';

/** How long an update waits for a build or another update, in milliseconds: 10 minutes. */
const PATIENCE = 600_000;

export interface RunContext extends Omit<UpdateContext, 'build'> {
	/** Folder of the project, if it is known: a build of another one is left alone. */
	readonly root?: string | undefined;
	readonly onWait: () => void;
}

export interface RunResult {
	readonly result: UpdateResult;
	readonly target?: UpdateTarget;
}

export interface UpdateTarget {
	readonly folder: string;
	readonly build: LastBuild;
	/** Pages whose files were replaced: readable paths of their addresses. */
	readonly pages: ReadonlySet<string>;
	readonly told: () => Promise<void>;
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
	const { storeFile, root, onWait } = context;
	const known = openOutput(storeFile, root);
	if ('reason' in known && known.outDir === undefined) return leaveAll(given, known.reason, context);
	const outDir = 'build' in known ? resolve(known.build.root, known.build.outDir) : (known.outDir ?? '');
	// A build that has not finished may be one that is running.
	const unlock = await lockOutput({ storeFile, outDir, patience: PATIENCE, onWait });
	if (!unlock) {
		throw new CommandError(
			'PR_OUTPUT_BUSY',
			'Another build or update has held the output folder for 10 minutes.',
			'End it, and run the update again.',
		);
	}
	try {
		// A build may have finished in the meantime.
		const opened = openOutput(storeFile, root);
		if ('reason' in opened) return leaveAll(given, opened.reason, context);
		const { build } = opened;
		const { result, pages, run } = await keepAlive(updateBuild(given, { ...context, build }));
		const folder = resolve(build.root, build.folder);
		const told = async () => (run === undefined ? undefined : endRun(run, storeFile, build));
		return { result, target: { folder, build, pages: new Set(pages.keys()), told } };
	} finally {
		unlock();
	}
}

type MarkContext = Pick<RunContext, 'storeFile' | 'isDryRun'>;

function leaveAll(given: GivenProducts, reason: string, context: MarkContext): RunResult {
	markGiven(given, context);
	return { result: rebuildAll(reason) };
}

/** Whoever knows what changed may not say it again, so the store keeps it. */
function markGiven(given: GivenProducts, { storeFile, isDryRun }: MarkContext): void {
	if (isDryRun || given === 'marked') return;
	try {
		const database = openExistingFile(storeFile);
		try {
			markProducts(database, given === 'all' ? findProducts(database) : given, Date.now());
		} finally {
			database.close();
		}
	} catch (error) {
		// Without a store, the next build asks for everything anyway.
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !isUnusable(error)) throw error;
	}
}

function rebuildAll(reason: string): UpdateResult {
	return { files: [], rebuild: [{ page: null, reason }], unchanged: [], notShown: [], failed: [] };
}

/** Ends a run after somebody was told of its files. If another one has begun, that one ends both. */
async function endRun(run: string, storeFile: string, build: LastBuild): Promise<void> {
	const { root, baseUrl, wsid } = build;
	const outDir = resolve(root, build.outDir);
	const unlock = await lockOutput({ storeFile, outDir, patience: 0, onWait: () => {} });
	if (!unlock) return;
	const store = openStore(storeFile, resolveConnection({ baseUrl, wsid }, {}).account, () => {});
	try {
		openUnfinished(store, build.at, Date.now()).end(run, true);
	} finally {
		store.close();
		unlock();
	}
}

interface UpdateContext {
	readonly storeFile: string;
	readonly build: LastBuild;
	/** Whether to say what would be done, and do nothing. */
	readonly isDryRun: boolean;
	/** Whether somebody is to be told which files changed. If nobody can be, the next run says it again. */
	readonly tells?: boolean;
	readonly warn: (message: string) => void;
	readonly onProgress: (done: number, total: number) => void;
}

export type GivenProducts = readonly string[] | 'marked' | 'all';

interface UpdatedRun extends UpdatedProducts {
	/** Identifies a run that is not finished before somebody was told of its files. */
	readonly run?: string;
}

/** Age does not matter: what changed is named or marked. In milliseconds. */
const NEVER = Number.MAX_SAFE_INTEGER;

async function updateBuild(given: GivenProducts, context: UpdateContext): Promise<UpdatedRun> {
	const { storeFile, build, isDryRun, tells = false, warn } = context;
	const options = { ...build.options, onError: 'stale', revalidate: 'age', maxAge: NEVER } as const;
	const environment = environmentOf(build);
	const connection = connectionOf(build, environment);
	const changed = { pids: typeof given === 'string' ? [] : given, all: given === 'all' };
	const shared = isDryRun
		? undefined
		: await shareWithOthers({
				storage: storageOf(build, environment, warn),
				connection,
				options,
				logger: { info: warn, warn },
			});
	const reviews = openReviews({
		command: 'build',
		options,
		connection,
		storeFile,
		shared,
		changed,
		warn,
		info: warn,
	});
	if (shared) await tellOthers(shared, reviews.store, changed);
	const { store, service, revalidation } = reviews;
	const unfinished = openUnfinished(store, build.at, Date.now());
	const { since } = unfinished;
	const pids = [...new Set([...unfinished.pids, ...productsOf(given, store, revalidation)])];
	try {
		// Those that fail, or are not reached, are asked for by the next run, whatever it is given.
		if (given === 'all') revalidation.mark(pids);
		const run = unfinished.begin(pids, tells && !isDryRun);
		const where = { build, folder: resolve(build.root, build.folder), isDryRun };
		const { result, pages } = await updateProducts(pids, {
			...where,
			reviews,
			isResumed: unfinished.pids.length > 0,
			since,
			now: Date.now,
			onProgress: (number) => context.onProgress(number, pids.length),
		});
		const times = new Map([...pages].filter((page): page is [string, number] => page[1] !== undefined));
		const sitemaps = await renewSitemaps(times, { ...where, isResumed: unfinished.pids.length > 0 });
		const files = [...result.files, ...sitemaps];
		// Whoever is to be told of files ends the run after that.
		const isLeft = tells && files.length > 0;
		if (!isDryRun && !isLeft) unfinished.end(run, tells);
		return { result: { ...result, files }, pages, ...(isLeft && { run }) };
	} finally {
		await service.close();
		await shared?.end();
		store.close();
	}
}

function productsOf(given: GivenProducts, store: ReviewStore, revalidation: Revalidation): readonly string[] {
	if (typeof given !== 'string') return given;
	if (given === 'all') return store.pages().products();
	return store.pids('mark').filter((pid) => revalidation.isOutdated(pid, oldestOf(store, pid)));
}

function oldestOf(store: ReviewStore, pid: string): number {
	const times = SENT_KINDS.map((kind) => store.table(kind).entry(pid)?.fetchedAt ?? Number.POSITIVE_INFINITY);
	const oldest = Math.min(...times);
	return Number.isFinite(oldest) ? oldest : Number.NEGATIVE_INFINITY;
}
