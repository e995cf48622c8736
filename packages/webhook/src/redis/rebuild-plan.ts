import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** Name of the queue, and of its only job. */
export const QUEUE_NAME = 'rebuilds';
const JOB_NAME = 'rebuild';
/** Progress of a job that found its rebuild due. */
export const REBUILDING = 'rebuilding';
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
