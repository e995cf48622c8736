import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'bullmq';

/** How long an aborted rebuild may take to end and to update Redis, in milliseconds. */
const GRACE = 15_000;
/** How long an idle worker may take to close, in milliseconds: Redis may be unavailable. */
const IDLE_GRACE = 2_000;

/** Options of {@link closeWithin}. */
export interface CloseWithinOptions {
	readonly worker: Worker;
	/** How long to wait for a running rebuild, in milliseconds. */
	readonly patience: number;
	readonly isRunning: () => boolean;
	/** Ends the rebuild. */
	readonly ending: AbortController;
}

/** Closes a worker: it takes no more jobs, and a running rebuild may finish. This works even if Redis is unavailable. */
export async function closeWithin({
	worker,
	patience,
	isRunning,
	ending,
}: CloseWithinOptions): Promise<void> {
	const over = new AbortController();
	const lapse = async (): Promise<void> => {
		const options = { signal: over.signal };
		if (isRunning()) {
			await wait(patience, undefined, options);
			ending.abort(new Error('The receiver is shutting down.'));
			await wait(GRACE, undefined, options);
		} else await wait(IDLE_GRACE, undefined, options);
	};
	// It may already be closing, with more patience.
	await Promise.race([worker.close(), lapse().catch(() => {})]);
	over.abort();
}
