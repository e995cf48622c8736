import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_NAME } from './rebuild-plan.js';

/** Pause before a worker tries again what failed for the connection, in milliseconds. */
const PAUSE = 1_000;

/** Options of {@link openWorker}. Lengths of time are milliseconds. */
export interface OpenWorkerOptions {
	/** Its commands wait until Redis is back. */
	readonly connection: Redis;
	readonly prefix: string;
	/** What is done with a job. It renews the lock itself. */
	readonly process: (job: Job, token: string) => Promise<void>;
	/** How long a job is left to a worker that is not heard of. */
	readonly lockDuration: number;
	/** How long until a job that failed is tried again. `attempt` counts from 1. */
	readonly pauseAfter: (attempt: number) => number;
	/** A job is done, and gone. */
	readonly onDone: () => void;
	readonly onError: (error: unknown) => void;
}

/** A worker that takes the one job of the plan, whenever it is its turn. It begins with `run()`. */
export function openWorker(options: OpenWorkerOptions): Worker {
	const { connection, prefix, process, lockDuration, pauseAfter, onDone, onError } = options;
	const worker = new Worker(QUEUE_NAME, (job, token = '') => process(job, token), {
		connection,
		prefix,
		autorun: false,
		lockDuration,
		stalledInterval: lockDuration,
		// A rebuild whose receiver is killed is begun again, however often that was.
		maxStalledCount: Number.MAX_SAFE_INTEGER,
		// The job renews it, on the connection that says when Redis is away.
		skipLockRenewal: true,
		runRetryDelay: PAUSE,
		settings: { backoffStrategy: pauseAfter },
	});
	worker.on('error', onError);
	worker.on('completed', onDone);
	return worker;
}
