import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** Name of the queue, and of its only job. */
export const QUEUE_NAME = 'rebuilds';
const JOB_NAME = 'rebuild';
/** A rebuild that fails is tried again until it does not. */
const ATTEMPTS = 1_000_000_000;
/** Events of the queue that BullMQ keeps for those who watch it. */
const EVENTS_KEPT = 100;

/** The one job that stands for the next rebuild, of all receivers. */
export interface RebuildPlan {
	/** Makes the job where there is none, in one round trip. @param delay before it is looked at, in milliseconds. */
	ensure(delay: number): Promise<void>;
	/** A worker runs it now. */
	isActive(): Promise<boolean>;
	/** One at a time, over all receivers. */
	limit(): Promise<void>;
	/** Renews the worker's lock of a job. @returns whether it still was the worker's. */
	renewLock(job: Job, token: string, duration: number): Promise<boolean>;
	close(): Promise<void>;
}

/**
 * BullMQ's deduplication keeps the job single while it is delayed, runs, or waits after a failure.
 * @param onError hears what goes wrong with the connection.
 */
export function openRebuildPlan(
	connection: Redis,
	prefix: string,
	onError: (error: unknown) => void,
): RebuildPlan {
	const queue = new Queue(QUEUE_NAME, {
		connection,
		prefix,
		// Asked while Redis is not there, the version would never be known; the worker asks on its own connection.
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
		async ensure(delay) {
			await queue.add(JOB_NAME, {}, { delay, deduplication: { id: JOB_NAME } });
		},
		isActive: async () => (await queue.getActiveCount()) > 0,
		async limit() {
			await queue.setGlobalConcurrency(1);
		},
		async renewLock({ id = '' }, token, duration) {
			// The worker's own copy would wait for its connection, and never say that Redis is away.
			const job = await queue.getJob(id);
			return job !== undefined && (await job.extendLock(token, duration)) === 1;
		},
		close: () => queue.close(),
	};
}
