import type { ChangeLog, Hold, WaitingChanges } from './change-log.js';
import type { CollectorStatus } from './collector-options.js';
import type { Rebuild } from './rebuild.js';
import { count, seconds, sentenceOf } from './wording.js';

/** Options of {@link runRebuild}. */
export interface RunRebuildOptions {
	readonly rebuild: Rebuild;
	readonly log: Pick<ChangeLog, 'settle'>;
	/** The changes to rebuild. */
	readonly waiting: WaitingChanges;
	/** When they were read, by the clock of the log. @default now */
	readonly readAt?: number | undefined;
	/** Ends the rebuild. */
	readonly signal: AbortSignal;
	readonly onLog: (line: string) => void;
	readonly started?: Hold['started'] | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: (() => number) | undefined;
}

/** Outcome of a rebuild. */
export type RebuildOutcome = NonNullable<CollectorStatus['lastRebuild']>;

/**
 * Rebuilds for the waiting changes and then removes them.
 * @returns the outcome; if it has an error, the changes are still waiting.
 */
export async function runRebuild(options: RunRebuildOptions): Promise<RebuildOutcome> {
	const { rebuild, log, waiting, signal, onLog, started, now = Date.now } = options;
	const { pids, all, upTo } = waiting;
	const startedAt = now();
	const what = all ? 'all products' : count(pids.length, 'product');
	const told = { startedAt, products: pids.length, all };
	onLog(`Rebuild for ${what} started.`);
	try {
		await rebuild({ pids: all ? [] : pids, all, signal, log: onLog, started });
		await log.settle(upTo, options.readAt ?? startedAt);
		onLog(`Rebuild for ${what} finished in ${seconds(now() - startedAt)}.`);
		return { ...told, endedAt: now() };
	} catch (error) {
		// The reason for ending it is more useful than the error that this caused.
		return { ...told, endedAt: now(), error: sentenceOf(signal.aborted ? signal.reason : error) };
	}
}
