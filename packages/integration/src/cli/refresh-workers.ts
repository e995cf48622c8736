import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Job, Queue, UnrecoverableError, WaitingChildrenError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { openCache } from '../cache/open-cache.js';
import { RESOURCES } from '../cache/review-cache.js';
import { commandError } from '../errors/catalog.js';
import { type CommandError, errorReference, ProductReviewsError } from '../errors.js';
import { PRODUCTS_PER_REQUEST } from '../fetching/in-batches.js';
import { addNumbers } from '../report/report.js';
import type { ChangedProducts } from '../session/changed-products.js';
import { openProductList } from '../session/product-list.js';
import { startService } from '../session/provider.js';
import { shareWithOthers } from '../session/shared.js';
import { amount } from '../text/words.js';
import { cachedProducts, type RefreshContext, type Refreshed, refreshCache } from './refresh.js';
import { misused, sayingProgress } from './terminal.js';

/** Prefix of every key, that of the receivers. Its braces keep the keys in one slot of a cluster. */
const PREFIX = '{product-reviews}';
/** After how long another worker takes over the chunk of a silent one, how often to look, and how often at most. */
const TAKEOVER = { lockDuration: 10_000, stalledInterval: 3_000, maxStalledCount: 5 };
/** Products of a chunk: as many as fit into one request for ratings. */
const CHUNK_SIZE = PRODUCTS_PER_REQUEST;
/** Failed products that are named. The others are only counted. */
const MOST_FAILED = 1_000;
/** How often a worker looks whether the run is over, in milliseconds. */
const LOOK_EVERY = 500;
/** How long a run is kept for workers that come late, in seconds. */
const KEPT = { age: 3_600 };
/** How old a run that all workers left may be to go on with it, in milliseconds: later, what it has fetched may be outdated. */
const ABANDONED_AFTER = 600_000;
/** How long Redis may be silent at first, and later, in milliseconds. */
const PATIENCE = { first: 5_000, later: 60_000 };

/** The job of a run. Those of its chunks are its children, so it ends after them. */
interface Run {
	readonly changed: ChangedProducts;
	/** Whether the products that changed are also the whole list. */
	readonly isNamed: boolean;
	/** Milliseconds since 1970. */
	readonly startedAt: number;
	/** How many there are; `undefined` as long as the list is being read. */
	readonly products?: number;
}

interface Chunk extends Pick<Run, 'changed' | 'startedAt'> {
	readonly pids: readonly string[];
}

const NOTHING: Refreshed = {
	totals: { products: 0, fetched: 0, unchanged: 0, missing: 0, stale: 0, failed: 0 },
	...{ requests: 0, failed: [], failures: 0 },
};

/**
 * Refreshes the cache with other workers that were started with the same command line: each product once, by one of them.
 * The chunk of a worker that dies is taken over. Resolves when the whole run is over, for all workers with the same result.
 * @param url of Redis; it may contain a password, and is never repeated.
 */
export async function refreshWithOthers(url: string, given: RefreshContext): Promise<Refreshed> {
	const redis = await connect(url);
	const shared = await shareWithOthers(given);
	const service = createSharedService();
	const context: RefreshContext = { ...given, shared, startService: service.start, isPart: true };
	const name = `refresh-${digestOf(given.connection.account)}`;
	const options = { connection: redis, prefix: PREFIX };
	const queue = new Queue(name, { ...options, streams: { events: { maxLen: 100 } } }).on('error', () => {});
	await answered(removeAbandoned(queue));
	const process = (job: Job, token = '') =>
		job.name === 'run' ? advance(job, token, queue, context) : refreshChunk(job.data, context);
	const worker = new Worker(name, process, { ...options, ...TAKEOVER }).on('error', () => {});
	try {
		return await awaitRun(queue, given);
	} finally {
		// It may be helping with another run, and has to finish its chunk.
		await Promise.race([worker.close(), wait(PATIENCE.later, undefined, { ref: false })]);
		await queue.close().catch(() => {});
		await service.end();
		await shared?.end();
		redis.disconnect();
	}
}

/** Removes the jobs of an old run that nobody works on any more. */
async function removeAbandoned(queue: Queue): Promise<void> {
	if ((await queue.getWorkersCount()) > 0) return;
	const open = await queue.getJobs(['wait', 'active', 'waiting-children'], 0, 100);
	if (open.some((job) => job && Date.now() - job.timestamp > ABANDONED_AFTER))
		await queue.obliterate({ force: true });
}

/** Joins the run of this command line, or begins it, and waits for its result. */
async function awaitRun(queue: Queue, { changed, products: list }: RefreshContext): Promise<Refreshed> {
	const work = { changed: { pids: changed.pids, all: changed.all }, isNamed: list === changed.pids };
	const id = digestOf(JSON.stringify(work));
	const run: Run = { ...work, startedAt: Date.now() };
	const begin = async () => {
		const kept = { removeOnComplete: KEPT, removeOnFail: KEPT };
		const { id: jobId = '' } = await answered(queue.add('run', run, { deduplication: { id }, ...kept }));
		return jobId;
	};
	// A run that ended while this worker was starting was its run too.
	const ended = await answered(queue.getJobs(['completed', 'failed'], 0, 20));
	const isOwn = (job: Job) =>
		job.opts.deduplication?.id === id && (job.finishedOn ?? 0) > performance.timeOrigin;
	const sayProgress = sayingProgress();
	let jobId = ended.find((job) => job && isOwn(job))?.id ?? (await begin());
	for (; ; await wait(LOOK_EVERY)) {
		const job = await answered(Job.fromId<Run, Refreshed>(queue, jobId));
		// Redis has lost the run. What was fetched for it is not fetched again.
		if (!job) jobId = await begin();
		else if (job.finishedOn && job.failedReason) throw toError(job.failedReason);
		else if (job.finishedOn && job.returnvalue) return job.returnvalue;
		else {
			const { products } = job.data;
			const { processed = 0 } = await answered(job.getDependenciesCount({ processed: true }));
			const done = Math.min(processed * CHUNK_SIZE, products ?? Number.POSITIVE_INFINITY);
			const total = products === undefined ? '' : ` of ${amount(products)}`;
			sayProgress(() => `${amount(done)}${total} products, by all workers`);
		}
	}
}

/** Adds the chunks of a run, or, when all of them are done, adds them up. */
async function advance(
	job: Job<Run>,
	token: string,
	queue: Queue,
	context: RefreshContext,
): Promise<Refreshed> {
	if (job.data.products === undefined) {
		const products = await plan(job, queue, context);
		await job.updateData({ ...job.data, products });
		if (await job.moveToWaitingChildren(token)) throw new WaitingChildrenError();
	}
	let sum = Object.values(await job.getChildrenValues<Refreshed>()).reduce(addUp, NOTHING);
	for (const [key, reason] of Object.entries(await job.getIgnoredChildrenFailures())) {
		const failed = await Job.fromId<Chunk>(queue, key.split(':').at(-1) ?? '');
		sum = addUp(sum, allFailed(failed?.data.pids ?? [], reason));
	}
	return sum;
}

/** Adds the chunks of a run: any worker can, whatever its own command line says. An error ends the run for all workers. */
async function plan(job: Job<Run>, queue: Queue, context: RefreshContext): Promise<number> {
	const { changed, isNamed, startedAt } = job.data;
	const named = new Set(changed.pids);
	const add = (pids: readonly string[]) => {
		const mine = { pids: pids.filter((pid) => named.has(pid)), all: changed.all };
		const data: Chunk = { pids, changed: mine, startedAt };
		const opts = {
			parent: { id: job.id ?? '', queue: queue.qualifiedName },
			// A list that is read again, because a worker died, adds nothing.
			jobId: `${job.id}-${digestOf(JSON.stringify(pids))}`,
			ignoreDependencyOnFailure: true,
			removeOnComplete: true,
			removeOnFail: KEPT,
		};
		return queue.add('chunk', data, opts);
	};
	try {
		// Chunks are requested by any worker, after all of them can know.
		await context.shared?.outdate(changed.all ? undefined : changed.pids);
		const source = isNamed ? changed.pids : context.options.products;
		let products = 0;
		let pids: string[] = [];
		for await (const pid of openProductList(source ?? cachedProducts(context)).products) {
			products += 1;
			pids.push(pid);
			if (pids.length < CHUNK_SIZE) continue;
			await add(pids);
			pids = [];
		}
		if (pids.length > 0) await add(pids);
		return products;
	} catch (error) {
		if (!(error instanceof ProductReviewsError)) throw error;
		const { code, message, hint } = error;
		const ownHint = hint.replace(`\n${errorReference(code)}`, '');
		throw new UnrecoverableError(JSON.stringify({ code, message, hint: ownHint }));
	}
}

/**
 * Refreshes the products of a chunk. Those that were fetched since the run started are not requested again: another worker
 * got to them, and ended before it was done with the chunk.
 */
async function refreshChunk(
	{ pids, changed, startedAt }: Chunk,
	context: RefreshContext,
): Promise<Refreshed> {
	// If it cannot be opened, the refresh says so.
	const cache = openCache(context.cacheFile, context.connection.account, () => {});
	const stored = RESOURCES.map((resource) => cache.table(resource).entries(pids));
	cache.close();
	const isDone = (pid: string) => {
		const entries = stored.flatMap((found) => found.get(pid) ?? []);
		const isFresh = entries.every(({ state, fetchedAt }) => state === 'fetched' && fetchedAt >= startedAt);
		return entries.length > 0 && isFresh;
	};
	const products = pids.filter((pid) => !isDone(pid));
	const left = { ...changed, pids: changed.pids.filter((pid) => products.includes(pid)) };
	const refreshed =
		products.length > 0 ? await refreshCache({ ...context, products, changed: left }) : NOTHING;
	const done = pids.length - products.length;
	return addUp(refreshed, { ...NOTHING, totals: { ...NOTHING.totals, products: done, fetched: done } });
}

function allFailed(pids: readonly string[], reason: string): Refreshed {
	const totals = { ...NOTHING.totals, products: pids.length, failed: pids.length };
	return { ...NOTHING, totals, failed: pids.map((pid) => ({ pid, reason })), failures: pids.length };
}

function addUp(sum: Refreshed, { failed, ...numbers }: Refreshed): Refreshed {
	const { failed: known, ...others } = sum;
	return { ...addNumbers(others, numbers), failed: [...known, ...failed].slice(0, MOST_FAILED) };
}

type Start = typeof startService;

/**
 * Keeps the service's thread between chunks. Starting one takes as long as requesting a hundred products, and it knows how
 * many requests the service can take.
 */
function createSharedService(): { readonly start: Start; end(): Promise<void> } {
	let thread: ReturnType<Start> | undefined;
	let current: Parameters<Start>[2];
	return {
		start(connection, options, context) {
			current = context;
			thread ??= startService(connection, options, {
				...context,
				warn: (message) => current?.warn?.(message),
				onRequest: (facts) => current?.onRequest?.(facts),
			});
			const kept = thread;
			return {
				fetch: (...args) => kept.fetch(...args),
				fetchRatings: (...args) => kept.fetchRatings(...args),
				prioritize: (...args) => kept.prioritize(...args),
				close: async () => {},
			};
		},
		end: async () => thread?.close(),
	};
}

function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Connects to Redis. The connection reopens by itself. @throws CommandError if it does not answer */
async function connect(url: string): Promise<Redis> {
	if (!/^rediss?:$/.test(URL.parse(url)?.protocol ?? ''))
		throw misused('The address of Redis is not of the form redis://user:password@host:6379.');
	let last: unknown;
	// BullMQ requires unlimited retries.
	const redis = new Redis(url, { maxRetriesPerRequest: null }).on('error', (error) => {
		last = error;
	});
	try {
		await answered(redis.ping(), PATIENCE.first, () => last);
		return redis;
	} catch (error) {
		redis.disconnect();
		throw error;
	}
}

/** Waits for an answer of Redis, but not forever. @param reason returns the last error of the connection */
async function answered<Answer>(
	answer: Promise<Answer>,
	patience = PATIENCE.later,
	reason: () => unknown = () => undefined,
): Promise<Answer> {
	const { promise: silence, reject } = Promise.withResolvers<never>();
	const end = () => reject(reason() ?? new Error(`no answer for ${patience / 1_000} s`));
	const timer = setTimeout(end, patience);
	try {
		return await Promise.race([answer, silence]);
	} catch (error) {
		throw unusable((error as Error).message, error);
	} finally {
		clearTimeout(timer);
	}
}

function unusable(reason: string, cause?: unknown): CommandError {
	const message = `Redis does not work: ${reason}. What was fetched is in the cache.`;
	return commandError('PR_REDIS_UNREACHABLE', message, cause);
}

/** An error of {@link plan} in any worker, or of BullMQ. */
function toError(reason: string): Error {
	if (!reason.startsWith('{')) return unusable(reason);
	const { code, message, hint } = JSON.parse(reason);
	return new ProductReviewsError(code, message, hint);
}
