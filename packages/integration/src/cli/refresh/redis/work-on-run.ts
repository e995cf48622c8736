import { setTimeout as wait } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { CHUNK_SIZE } from '../chunk.js';
import type { RefreshContext } from '../refresh-store.js';
import { answered } from './connect.js';
import { type OnChunk, processRun } from './process-run.js';
import { createRunProgress } from './run-progress.js';
import { openRunQueue, type Planned, type RunQueue } from './run-queue.js';
import type { Run, RunRecord, RunResult } from './run-record.js';

/** How often a worker looks whether the run is over, in milliseconds. */
const LOOK_EVERY = 500;
/** How long a worker that does nothing may take to end, in milliseconds. */
const GRACE = 1_000;
/** How long one may take to finish its chunk if Redis has lost the run, in milliseconds. */
const GRACE_OF_LOST_RUN = 60_000;

/** What a worker takes part in a run with. */
export interface WorkContext {
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
export async function workOnRun(run: Run, context: WorkContext): Promise<RunResult | undefined> {
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
