import type { CollectorStatus } from '../collect/collector-options.js';
import type { Rebuild } from '../collect/rebuild.js';
import { count, seconds, sentenceOf } from '../collect/wording.js';
import type { RedisLog, WaitingInRedis } from './redis-log.js';

/** Options of {@link runRebuild}. */
export interface RunRebuildOptions {
	readonly rebuild: Rebuild;
	readonly log: RedisLog;
	/** What the rebuild is for. */
	readonly waiting: WaitingInRedis;
	/** Ends the rebuild. */
	readonly signal: AbortSignal;
	readonly onLog: (line: string) => void;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: (() => number) | undefined;
}

/** How a rebuild went. */
export type RebuildOutcome = NonNullable<CollectorStatus['lastRebuild']>;

/**
 * Rebuilds for what waits, and forgets that it waited.
 * @returns how it went; where it has an error, everything waits as before.
 */
export async function runRebuild(options: RunRebuildOptions): Promise<RebuildOutcome> {
	const { rebuild, log, waiting, signal, onLog, now = Date.now } = options;
	const { pids, products, all, upTo } = waiting;
	const startedAt = now();
	const what = all ? 'all products' : count(products, 'product');
	const told = { startedAt, products, all };
	onLog(`Rebuild for ${what} starts.`);
	try {
		await rebuild({ pids: all ? [] : pids, all, signal, log: onLog });
		await log.settle(upTo, waiting.now);
		onLog(`Rebuild for ${what} is done after ${seconds(now() - startedAt)}.`);
		return { ...told, endedAt: now() };
	} catch (error) {
		// Why it was ended says more than what ending it came to.
		return { ...told, endedAt: now(), error: sentenceOf(signal.aborted ? signal.reason : error) };
	}
}
