import type { CollectorStatus } from '../collect/collector-options.js';
import type { Rebuild } from '../collect/rebuild.js';
import { count, seconds, sentenceOf } from '../collect/wording.js';
import type { RedisLog, WaitingInRedis } from './redis-log.js';

/** Options of {@link runRebuild}. */
export interface RunRebuildOptions {
	readonly rebuild: Rebuild;
	readonly log: RedisLog;
	/** The changes to rebuild. */
	readonly waiting: WaitingInRedis;
	/** Ends the rebuild. */
	readonly signal: AbortSignal;
	readonly onLog: (line: string) => void;
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
	const { rebuild, log, waiting, signal, onLog, now = Date.now } = options;
	const { pids, products, all, upTo } = waiting;
	const startedAt = now();
	const what = all ? 'all products' : count(products, 'product');
	const told = { startedAt, products, all };
	onLog(`Rebuild for ${what} started.`);
	try {
		await rebuild({ pids: all ? [] : pids, all, signal, log: onLog });
		await log.settle(upTo, waiting.now);
		onLog(`Rebuild for ${what} finished in ${seconds(now() - startedAt)}.`);
		return { ...told, endedAt: now() };
	} catch (error) {
		// The reason for ending it is more useful than the error that this caused.
		return { ...told, endedAt: now(), error: sentenceOf(signal.aborted ? signal.reason : error) };
	}
}
