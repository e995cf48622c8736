import { DelayedError, type Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { pauseAfter, type Timing } from '../collect/collector.js';
import { type Rebuild, type RebuildOutcome, runRebuild } from '../collect/rebuild.js';
import { untilDue } from './create-redis-collector.js';
import type { RedisLog } from './redis-log.js';

/** Pause before a worker retries after a connection error, in milliseconds. */
const PAUSE = 1_000;

/** Options of {@link openWorker}. */
export interface OpenWorkerOptions extends ProcessJobOptions {
	/** A connection whose commands wait until Redis is back. */
	readonly connection: Redis;
	readonly prefix: string;
	/** Called when a job is done and removed. */
	readonly onDone: () => void;
	readonly onError: (error: unknown) => void;
}

/** Creates a worker that processes the plan's single job when it is due. Start it with `run()`. */
export function openWorker(options: OpenWorkerOptions): { worker: Worker; isRunning: () => boolean } {
	const { connection, prefix, timing, lockDuration, onDone, onError } = options;
	let isRunning = false;
	const worker = new Worker(
		QUEUE_NAME,
		async (job, token = '') => {
			isRunning = true;
			await processJob(job, token, options).finally(() => {
				isRunning = false;
			});
		},
		{
			connection,
			prefix,
			autorun: false,
			lockDuration,
			stalledInterval: lockDuration,
			// If its receiver is killed, a rebuild is started again, with no limit on how often.
			maxStalledCount: Number.MAX_SAFE_INTEGER,
			// The job renews it, on the connection that fails while Redis is unavailable.
			skipLockRenewal: true,
			runRetryDelay: PAUSE,
			settings: { backoffStrategy: (attempt) => pauseAfter(timing, attempt) },
		},
	);
	worker.on('error', onError);
	worker.on('completed', onDone);
	return { worker, isRunning: () => isRunning };
}

/** Options of {@link processJob}. Durations are in milliseconds. */
interface ProcessJobOptions {
	readonly rebuild: Rebuild;
	readonly log: RedisLog;
	readonly plan: RebuildPlan;
	readonly timing: Timing;
	readonly lockDuration: number;
	/** Aborted when the receiver shuts down; this ends the rebuild. */
	readonly ending: AbortSignal;
	readonly onLog: (line: string) => void;
	/** Called with the outcome of a rebuild. `attempt` counts from 1 until one succeeds. */
	readonly onOutcome: (outcome: RebuildOutcome, attempt: number) => Promise<void>;
}

/**
 * Processes the plan's job. If more changes have arrived since it was planned, the job is postponed; otherwise the site is
 * rebuilt. Changes that arrive during the rebuild are left to the next job.
 *
 * @throws DelayedError if the job is postponed, and Error if the rebuild failed: BullMQ retries it.
 */
async function processJob(job: Job, token: string, options: ProcessJobOptions): Promise<void> {
	const { rebuild, log, plan, timing, lockDuration, ending, onLog, onOutcome } = options;
	const putOff = async (delay: number): Promise<never> => {
		await job.moveToDelayed(Date.now() + delay, token);
		throw new DelayedError();
	};
	const lost = new AbortController();
	const release = holdLock({
		renew: () => plan.renewLock(job, token, lockDuration),
		duration: lockDuration,
		onLost: () => lost.abort(new Error('Redis could not be reached, so another receiver may take over.')),
	});
	try {
		const waiting = await log.waiting();
		if (!waiting) return;
		const delay = untilDue(waiting, timing);
		if (delay > 0) return await putOff(delay);
		await job.updateProgress(REBUILDING);
		const signal = AbortSignal.any([ending, lost.signal]);
		const outcome = await runRebuild({ rebuild, log, waiting, readAt: waiting.now, signal, onLog });
		// Shutting down is not a failure: another receiver should continue at once.
		if (outcome.error !== undefined && ending.aborted) return await putOff(0);
		if (outcome.error !== undefined && lost.signal.aborted) {
			// BullMQ hands the job to the next worker without a pause. Skipping onOutcome keeps that worker's outcome intact.
			onLog(`The rebuild was ended: ${outcome.error}`);
			throw new Error(outcome.error);
		}
		await onOutcome(outcome, job.attemptsMade + 1);
		if (outcome.error !== undefined) throw new Error(outcome.error);
	} finally {
		release();
	}
}

/** Options of {@link holdLock}. Durations are in milliseconds. */
interface HoldLockOptions {
	/** Extends the lock by the whole duration. Resolves to `false` if it is no longer ours; may reject if Redis does not answer. */
	readonly renew: () => Promise<boolean>;
	/** How long the lock lasts without renewal. */
	readonly duration: number;
	/** Called once, when another receiver may hold the lock. */
	readonly onLost: () => void;
	/** Monotonic clock, in milliseconds. @default performance.now */
	readonly now?: (() => number) | undefined;
}

/**
 * Renews a lock four times as often as needed. Without an answer, the lock counts as lost before it expires in Redis, so
 * that a receiver that is cut off stops before another one starts.
 * @returns a function that stops the renewal.
 */
function holdLock({ renew, duration, onLost, now = () => performance.now() }: HoldLockOptions): () => void {
	const pause = duration / 4;
	let heldUntil = now() + duration;
	let isOver = false;
	const end = () => {
		isOver = true;
		clearInterval(timer);
	};
	const lose = () => {
		if (isOver) return;
		end();
		onLost();
	};
	const timer = setInterval(() => {
		const askedAt = now();
		if (askedAt + pause >= heldUntil) return lose();
		renew().then(
			(isHeld) => {
				if (!isHeld) lose();
				// Redis counts from when it received the request, which is later than `askedAt`.
				else heldUntil = Math.max(heldUntil, askedAt + duration);
			},
			() => {},
		);
	}, pause);
	return end;
}

/** Name of the queue, and of its only job. */
const QUEUE_NAME = 'rebuilds';

const JOB_NAME = 'rebuild';

/** Progress of a job that found its rebuild due. */
const REBUILDING = 'rebuilding';

/** A failed rebuild is retried until it succeeds. */
const ATTEMPTS = 1_000_000_000;

/** How many queue events BullMQ keeps for observers. */
const EVENTS_KEPT = 100;

/** The single job that represents the next rebuild of all receivers. */
export interface RebuildPlan {
	/**
	 * Creates the job if there is none, in one round trip.
	 * @param delay before it is processed, in milliseconds.
	 * @param hurries whether this delay also applies to a job that waits after a failure.
	 */
	ensure(delay: number, hurries?: boolean): Promise<void>;
	/** Whether a worker rebuilds. One that only looks whether a rebuild is due yet does not. */
	isRebuilding(): Promise<boolean>;
	/** Limits the job to one run at a time across all receivers. */
	limit(): Promise<void>;
	/** Renews the worker's lock on a job. @returns whether the worker still held it. */
	renewLock(job: Job, token: string, duration: number): Promise<boolean>;
	close(): Promise<void>;
}

/**
 * BullMQ's deduplication keeps the job single while it is delayed, runs, or waits after a failure.
 * @param onError called with connection errors.
 */
export function openRebuildPlan(
	connection: Redis,
	prefix: string,
	onError: (error: unknown) => void,
): RebuildPlan {
	const queue = new Queue(QUEUE_NAME, {
		connection,
		prefix,
		// If Redis is unavailable at this point, the check would never complete. The worker checks on its own connection.
		skipVersionCheck: true,
		skipMetasUpdate: true,
		streams: { events: { maxLen: EVENTS_KEPT } },
		defaultJobOptions: {
			attempts: ATTEMPTS,
			backoff: { type: 'custom' },
			removeOnComplete: true,
			removeOnFail: true,
		},
	});
	queue.on('error', onError);
	return {
		async ensure(delay, hurries = false) {
			await queue.add(JOB_NAME, {}, { delay, deduplication: { id: JOB_NAME, reschedule: hurries } });
		},
		isRebuilding: async () => (await queue.getActive()).some((job) => job?.progress === REBUILDING),
		async limit() {
			await queue.setGlobalConcurrency(1);
		},
		async renewLock({ id = '' }, token, duration) {
			// The worker's own copy would wait for its connection instead of failing while Redis is unavailable.
			const job = await queue.getJob(id);
			return job !== undefined && (await job.extendLock(token, duration)) === 1;
		},
		close: () => queue.close(),
	};
}
