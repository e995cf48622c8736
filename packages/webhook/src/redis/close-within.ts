import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'bullmq';

/** Time for a rebuild to end after it was told to, and to tell Redis, in milliseconds. */
const GRACE = 15_000;
/** Time for a worker without a rebuild, in milliseconds: Redis may be away. */
const IDLE_GRACE = 2_000;

/** Options of {@link closeWithin}. */
export interface CloseWithinOptions {
	readonly worker: Worker;
	/** How long the rebuild that runs is waited for, in milliseconds. */
	readonly patience: number;
	readonly isRunning: () => boolean;
	/** Ends the rebuild. */
	readonly ending: AbortController;
}

/** Closes a worker: it takes no more jobs, and the rebuild that runs is waited for. It ends even where Redis is away. */
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
			ending.abort(new Error('The receiver ends.'));
			await wait(GRACE, undefined, options);
		} else await wait(IDLE_GRACE, undefined, options);
	};
	// It may be closed already, with more patience.
	await Promise.race([worker.close(), lapse().catch(() => {})]);
	over.abort();
}
