import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { pauseAfter } from '../collect/timing.js';
import { type ProcessJobOptions, processJob } from './process-job.js';
import { QUEUE_NAME } from './rebuild-plan.js';

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
