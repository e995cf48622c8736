import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { CommandError, ProductReviewsError } from '../../../errors.js';
import { shareWithOthers } from '../../../session/shared.js';
import { amount } from '../../../text/words.js';
import { addUp, CHUNK_SIZE, NOTHING, type RefreshContext, type RefreshSum } from '../refresh-store.js';
import { type OnChunk, processRun } from './process-run.js';
import { openRunQueue, type Planned, type RunQueue } from './run-queue.js';
import { describeWork, openRunRecord, type Run, type RunRecord, type RunResult } from './run-record.js';

/** What a worker refreshes with others. */
export interface TogetherContext extends RefreshContext {
	/** URL of Redis; it may contain a password. */
	readonly redis: string;
	/** When this process was started, in milliseconds since 1970. */
	readonly since: number;
}

/** What a run did. */
export interface RefreshedTogether {
	/** By all workers. */
	readonly all: RefreshSum;
	/** By this one. */
	readonly own: RefreshSum;
}

/**
 * Refreshes the store with other workers that were started with the same command line: each product once, by one of them.
 * The chunk of a worker that dies is taken over. Resolves when the whole run is over, for all workers with the same result.
 * @throws CommandError if Redis cannot be used, and ProductReviewsError if the product list cannot be read.
 */
export async function refreshTogether({
	redis: url,
	since,
	...context
}: TogetherContext): Promise<RefreshedTogether> {
	const redis = await connect(url);
	const shared = await shareWithOthers(context);
	const refresh = { ...context, shared };
	const record = openRunRecord(redis, context.connection.account);
	const { changed, products } = context;
	const work = describeWork({ changed, isNamed: products === changed.pids });
	let startedAt: number | undefined;
	let own: RefreshSum = { ...NOTHING, failures: 0 };
	const onChunk: OnChunk = (refreshed, isLastTry) => {
		own = addUp(own, refreshed, isLastTry);
	};
	try {
		for (;;) {
			const run = await answered(record.join(work, since, startedAt));
			const result = run.result ?? (await workOnRun(run, { redis, record, refresh, onChunk }));
			// A run with another command line comes first.
			if (run.work !== work) continue;
			if (!result) {
				// Redis has lost the run. What was fetched for it is not fetched again.
				startedAt = run.startedAt;
				continue;
			}
			if ('sum' in result) return { all: result.sum, own };
			const { code, message, hint } = result.error;
			throw new ProductReviewsError(code, message, hint);
		}
	} finally {
		await shared?.end();
		redis.disconnect();
	}
}

/** How often a worker looks whether the run is over, in milliseconds. */
const LOOK_EVERY = 500;

/** How long a worker that does nothing may take to end, in milliseconds. */
const GRACE = 1_000;

/** How long one may take to finish its chunk if Redis has lost the run, in milliseconds. */
const GRACE_OF_LOST_RUN = 60_000;

/** What a worker takes part in a run with. */
interface WorkContext {
	readonly redis: Redis;
	readonly record: RunRecord;
	readonly refresh: RefreshContext;
	/** Called with what became of each chunk of this worker. */
	readonly onChunk: OnChunk;
}

/**
 * Works on a run until it is over.
 * @returns `undefined` if Redis has lost it.
 * @throws CommandError if Redis does not answer any more.
 */
async function workOnRun(run: Run, context: WorkContext): Promise<RunResult | undefined> {
	const { redis, record, refresh } = context;
	if (run.previous) await removeRun(redis, run.previous);
	const queue = openRunQueue(redis, run);
	let own = 0;
	let grace = GRACE;
	let result: RunResult | undefined;
	const onChunk: OnChunk = (refreshed, isLastTry) => {
		own += refreshed.totals.products;
		context.onChunk(refreshed, isLastTry);
	};
	const logProgress = createRunProgress(refresh.isTerminal, (line) => refresh.logger.info(line));
	await answered(queue.begin());
	const stop = processRun({ run, queue, connection: redis, refresh, onChunk });
	try {
		for (let planned: Planned | undefined; ; await wait(LOOK_EVERY)) {
			const [found, state] = await answered(Promise.all([record.read(run), queue.state()]));
			if (!found) {
				grace = GRACE_OF_LOST_RUN;
				return undefined;
			}
			result = found.result;
			if (result) return result;
			planned ??= await answered(queue.planned());
			if (state.isOver && planned) {
				result = await endRun(run, planned, queue, record);
				return result;
			}
			const total = planned && 'products' in planned ? planned.products : undefined;
			const done = Math.min(state.chunks * CHUNK_SIZE, total ?? Number.POSITIVE_INFINITY);
			logProgress({ done: Math.max(done, own), total, own });
		}
	} finally {
		await Promise.race([stop(), wait(grace, undefined, { ref: false })]);
		// Every worker does so, after it has ended: until then it looks for chunks that were left, which writes to the queue.
		if (result) await answered(queue.remove()).catch(() => {});
		await queue.close().catch(() => {});
	}
}

/** The worker that is the first to write the result decides it for all. */
async function endRun(run: Run, planned: Planned, queue: RunQueue, record: RunRecord): Promise<RunResult> {
	const result = 'error' in planned ? planned : { sum: await answered(queue.result()) };
	if (await answered(record.end(run, result))) return result;
	return (await answered(record.read(run)))?.result ?? result;
}

/** A run whose last worker was killed before it could remove the jobs leaves them behind. */
async function removeRun(redis: Redis, id: string): Promise<void> {
	const queue = openRunQueue(redis, { id });
	await answered(queue.remove());
	await queue.close();
}

/** Lines for the whole run if the output is not a terminal. */
const LINES_WITHOUT_TERMINAL = 10;

/** How far a run is, and this worker. */
interface RunProgress {
	/** Products of finished chunks, of all workers. */
	readonly done: number;
	/** `undefined` as long as the product list is being read. */
	readonly total: number | undefined;
	/** Products of this worker. */
	readonly own: number;
}

/** Logs progress when there is any: each time on a terminal, and elsewhere ten times. */
function createRunProgress(
	isTerminal: boolean,
	log: (line: string) => void,
): (progress: RunProgress) => void {
	let last = '';
	let tenths = 0;
	return ({ done, total, own }) => {
		const line = `${amount(done)}${total === undefined ? '' : `/${amount(total)}`} products by all workers, ${amount(own)} by this one`;
		const reached = total ? Math.floor((done / total) * LINES_WITHOUT_TERMINAL) : 0;
		if (done === 0 || line === last || (!isTerminal && reached <= tenths)) return;
		last = line;
		tenths = reached;
		log(line);
	};
}

/** How long to wait for the first answer, in milliseconds. */
const FIRST_PATIENCE = 5_000;

/** How long Redis may be silent during a run, in milliseconds. */
const PATIENCE = 60_000;

/** Longest pause before reconnecting, in milliseconds. */
const LONGEST_PAUSE = 2_000;

/**
 * Connects to Redis. The connection reopens by itself.
 * @param url `redis://` or `rediss://`; it may contain a password, and is never repeated.
 * @throws CommandError for another URL, or if Redis does not answer.
 */
async function connect(url: string): Promise<Redis> {
	if (!/^rediss?:$/.test(URL.parse(url)?.protocol ?? '')) {
		throw new CommandError(
			'PR_USAGE',
			'The address of Redis is not of the form redis://user:password@host:6379.',
			'Check --redis, or the variable that --redis-env names.',
		);
	}
	let last: unknown;
	// BullMQ requires unlimited retries.
	const redis = new Redis(url, {
		maxRetriesPerRequest: null,
		retryStrategy: (times) => Math.min(times * 100, LONGEST_PAUSE),
	}).on('error', (error) => {
		last = error;
	});
	try {
		await answered(redis.ping(), FIRST_PATIENCE, () => last);
		return redis;
	} catch (error) {
		redis.disconnect();
		throw error;
	}
}

/**
 * Waits for an answer of Redis, but not forever.
 * @param reason the last error of the connection.
 * @throws CommandError if none comes.
 */
async function answered<Answer>(
	answer: Promise<Answer>,
	patience = PATIENCE,
	reason: () => unknown = () => undefined,
): Promise<Answer> {
	const over = new AbortController();
	const silence = wait(patience, undefined, { signal: over.signal }).then(() => {
		throw unreachable(reason() ?? `no answer for ${patience / 1_000} s`);
	});
	try {
		return await Promise.race([answer, silence]);
	} catch (error) {
		throw error instanceof CommandError ? error : unreachable(error);
	} finally {
		over.abort();
		silence.catch(() => {});
	}
}

function unreachable(cause: unknown): CommandError {
	const reason = cause instanceof Error ? cause.message : String(cause);
	return new CommandError(
		'PR_REDIS_UNREACHABLE',
		`Redis does not work: ${reason}.`,
		'Check its address and that it runs. What was fetched is in the store: start the same command again.',
		{ cause },
	);
}
