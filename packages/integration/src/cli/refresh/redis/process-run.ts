import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { errorReference, ProductReviewsError } from '../../../errors.js';
import { createProductOutcomes } from '../../../outcomes/outcomes.js';
import { collectWarnings } from '../../../report/log.js';
import { startReviewService } from '../../../service/start-review-service.js';
import type { ServiceThread } from '../../../service/start-service-thread.js';
import { openProductList } from '../../../session/product-list.js';
import {
	type Chunk,
	type RefreshContext,
	type Refreshed,
	refreshChunk,
	storedProducts,
	toChunks,
} from '../refresh-store.js';
import { PLAN, type Planned, type RunQueue } from './run-queue.js';
import { PREFIX, type Run, readWork } from './run-record.js';

/** How long a worker may be silent before another takes over its chunk, in milliseconds. */
const LOCK_DURATION = 10_000;
/** How often to look for such chunks, in milliseconds. */
const STALLED_INTERVAL = 3_000;
/** A chunk whose workers die that often counts as failed. */
const MOST_TAKEOVERS = 5;

/** What a worker does its part of a run with. */
export interface ProcessContext {
	readonly run: Run;
	readonly queue: RunQueue;
	readonly connection: Redis;
	readonly refresh: RefreshContext;
	readonly onChunk: OnChunk;
}

/** Called with what became of a chunk, and whether its failed products are not tried again. */
export type OnChunk = (refreshed: Refreshed, isLastTry: boolean) => void;

/** Starts a worker: it takes one job after another. @returns a function that ends it, after its current job */
export function processRun({
	run,
	queue,
	connection,
	refresh,
	onChunk,
}: ProcessContext): () => Promise<void> {
	const service = createSharedService();
	const context = { ...refresh, hasProgress: false, startService: service.start };
	const processChunk = async (chunk: Chunk) => {
		const refreshed = await refreshChunk(chunk, run.startedAt, context);
		const { failed } = refreshed;
		if (failed.length > 0 && !chunk.isLastTry) await queue.addAgain(again(chunk, failed));
		onChunk(refreshed, chunk.isLastTry);
		return refreshed;
	};
	const worker = new Worker(
		queue.name,
		(job: Job) => (job.name === PLAN ? plan(run, queue, refresh) : processChunk(job.data)),
		{
			connection,
			prefix: PREFIX,
			lockDuration: LOCK_DURATION,
			stalledInterval: STALLED_INTERVAL,
			maxStalledCount: MOST_TAKEOVERS,
		},
	);
	// The run notices by itself when Redis stays silent.
	worker.on('error', () => {});
	return async () => {
		await worker.close();
		await service.end();
	};
}

function again(chunk: Chunk, failed: Refreshed['failed']): Chunk {
	const pids = [...new Set(failed.map(({ pid }) => pid))];
	const changed = { ...chunk.changed, pids: chunk.changed.pids.filter((pid) => pids.includes(pid)) };
	return { pids, changed, isLastTry: true };
}

/**
 * Fills the queue with what the run is about: this worker may have another command line. An error is a result, because it
 * ends the run for all workers.
 */
async function plan({ work }: Run, queue: RunQueue, context: RefreshContext): Promise<Planned> {
	try {
		const { changed, isNamed } = readWork(work);
		// Chunks are requested by any worker, after all of them can know.
		context.shared?.outdate(changed.all ? undefined : changed.pids);
		await context.shared?.told();
		const source = isNamed ? changed.pids : context.options.products;
		const list = openProductList(source ?? storedProducts(context));
		const products = await queue.fill(toChunks(list.products, changed));
		const { duplicates } = list;
		for (const line of collectWarnings(createProductOutcomes(), { duplicates })) context.logger.warn(line);
		return { products };
	} catch (error) {
		if (!(error instanceof ProductReviewsError)) throw error;
		const { code, message, hint } = error;
		return { error: { code, message, hint: hint.replace(`\n${errorReference(code)}`, '') } };
	}
}

type Start = typeof startReviewService;

/** The service's thread, for one refresh after another. */
interface SharedService {
	/** Starts the thread, or takes the one that is there. Closing the result leaves it running. */
	readonly start: Start;
	end(): Promise<void>;
}

/**
 * Keeps the service's thread between refreshes of a few products each. Starting one takes as long as requesting a hundred
 * products, and it knows how many requests the service can take.
 */
function createSharedService(): SharedService {
	let thread: ServiceThread | undefined;
	let current: Parameters<Start>[2];
	return {
		start(connection, options, context) {
			current = context;
			thread ??= startReviewService(connection, options, {
				...context,
				goesOn: true,
				warn: (message) => current?.warn?.(message),
				onRequest: (facts) => current?.onRequest?.(facts),
			});
			return { ...thread, close: async () => {} };
		},
		async end() {
			await thread?.close();
		},
	};
}
