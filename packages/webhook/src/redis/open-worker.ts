import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_NAME } from './rebuild-plan.js';

/** Pause before a worker retries after a connection error, in milliseconds. */
const PAUSE = 1_000;

/** Options of {@link openWorker}. Durations are in milliseconds. */
export interface OpenWorkerOptions {
	/** A connection whose commands wait until Redis is back. */
	readonly connection: Redis;
	readonly prefix: string;
	/** Processes a job, and renews its lock. */
	readonly process: (job: Job, token: string) => Promise<void>;
	/** How long a job stays with a worker that has gone silent. */
	readonly lockDuration: number;
	/** Pause before a failed job is retried. `attempt` counts from 1. */
	readonly pauseAfter: (attempt: number) => number;
	/** Called when a job is done and removed. */
	readonly onDone: () => void;
	readonly onError: (error: unknown) => void;
}

/** Creates a worker that processes the plan's single job when it is due. Start it with `run()`. */
export function openWorker(options: OpenWorkerOptions): Worker {
	const { connection, prefix, process, lockDuration, pauseAfter, onDone, onError } = options;
	const worker = new Worker(QUEUE_NAME, (job, token = '') => process(job, token), {
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
		settings: { backoffStrategy: pauseAfter },
	});
	worker.on('error', onError);
	worker.on('completed', onDone);
	return worker;
}
