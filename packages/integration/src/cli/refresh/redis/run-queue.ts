import { createHash } from 'node:crypto';
import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import {
	addUp,
	type Chunk,
	MOST_FAILED,
	NOTHING,
	type Refreshed,
	type RefreshSum,
} from '../refresh-store.js';
import { PREFIX, type Run, type RunError } from './run-record.js';

/** The job that reads the product list, and adds all others. */
export const PLAN = 'plan';
const CHUNK = 'chunk';
/** Chunks that are added in one round trip. */
const ADDED_AT_ONCE = 20;
/** Finished jobs that are read in one round trip. */
const READ_AT_ONCE = 100;

/** What became of the plan: how many products there are, or why the list cannot be read. */
export type Planned = { readonly products: number } | { readonly error: RunError };

/** How far a run is. */
interface RunState {
	/** Whether there is nothing left to do. */
	readonly isOver: boolean;
	/** Finished chunks. */
	readonly chunks: number;
}

/** The jobs of one run. */
export interface RunQueue {
	readonly name: string;
	/** Adds the plan, unless it is there. */
	begin(): Promise<void>;
	/** Adds chunks, unless they are there. @returns how many products they have */
	fill(chunks: AsyncIterable<Chunk>): Promise<number>;
	/** Adds products that failed, after all other chunks. */
	addAgain(chunk: Chunk): Promise<void>;
	state(): Promise<RunState>;
	/** `undefined` as long as the list is being read. */
	planned(): Promise<Planned | undefined>;
	/** Adds up what became of all chunks. */
	result(): Promise<RefreshSum>;
	/** Deletes all jobs. */
	remove(): Promise<void>;
	close(): Promise<void>;
}

/** Opens the queue of a run. Each run has its own, so nothing of an old one is in the way of a new one. */
export function openRunQueue(connection: Redis, { id }: Pick<Run, 'id'>): RunQueue {
	const name = `refresh-${id}`;
	const queue = new Queue(name, { connection, prefix: PREFIX }).on('error', () => {});
	return {
		name,
		async begin() {
			await queue.add(PLAN, {}, { jobId: PLAN });
		},
		async fill(chunks) {
			let waiting: ReturnType<typeof toJob>[] = [];
			let products = 0;
			for await (const chunk of chunks) {
				products += chunk.pids.length;
				waiting.push(toJob(chunk));
				if (waiting.length < ADDED_AT_ONCE) continue;
				await queue.addBulk(waiting);
				waiting = [];
			}
			if (waiting.length > 0) await queue.addBulk(waiting);
			return products;
		},
		async addAgain(chunk) {
			// BullMQ takes jobs with a priority after those without.
			await queue.addBulk([toJob({ ...chunk, isLastTry: true }, { priority: 1 })]);
		},
		async state() {
			const { completed = 0, failed = 0, ...open } = await queue.getJobCounts();
			const left = Object.values(open).reduce((sum, count) => sum + count, 0);
			return { isOver: left === 0 && completed + failed > 0, chunks: Math.max(0, completed + failed - 1) };
		},
		async planned() {
			const job = await queue.getJob(PLAN);
			if (!job?.failedReason) return job?.returnvalue ?? undefined;
			const message = `The product list could not be put into Redis: ${job.failedReason}`;
			return { error: { code: 'PR_REDIS_UNREACHABLE', message, hint: 'Start the same command again.' } };
		},
		result: () => addUpJobs(queue),
		remove: () => queue.obliterate({ force: true }),
		close: () => queue.close(),
	};
}

/** The same products have the same id, so a list that is read again adds nothing. */
function toJob(data: Chunk, options: JobsOptions = {}) {
	const hash = createHash('sha256')
		.update(JSON.stringify([data.isLastTry, data.pids]))
		.digest('hex');
	return { name: CHUNK, data, opts: { ...options, jobId: hash.slice(0, 32) } };
}

async function addUpJobs(queue: Queue): Promise<RefreshSum> {
	let sum: RefreshSum = { ...NOTHING, failures: 0 };
	for (let at = 0; ; at += READ_AT_ONCE) {
		const jobs = await queue.getJobs(['completed', 'failed'], at, at + READ_AT_ONCE - 1);
		for (const job of jobs) {
			// Another worker may be removing them. Then its result is the one that counts.
			if (job?.name !== CHUNK) continue;
			const { pids, isLastTry }: Chunk = job.data;
			if (job.returnvalue) sum = addUp(sum, job.returnvalue as Refreshed, isLastTry);
			else sum = addUp(sum, allFailed(pids, job.failedReason), true);
		}
		if (jobs.length === 0) return { ...sum, failed: sum.failed.slice(0, MOST_FAILED) };
	}
}

function allFailed(pids: readonly string[], reason: string): Refreshed {
	const totals = { ...NOTHING.totals, products: pids.length, failed: pids.length };
	return { totals, requests: 0, failed: pids.map((pid) => ({ pid, reason })) };
}
