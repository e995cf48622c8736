import { quietly } from '../quietly.js';
import type { ChangeLog, Hold } from './change-log.js';
import type { CollectorOptions } from './collector-options.js';
import { type RebuildOutcome, runRebuild } from './run-rebuild.js';
import { takeTurn } from './take-turn.js';
import { pauseAfter, type Timing } from './timing.js';
import { seconds, sentenceOf } from './wording.js';

/** How often to check whether another receiver is still rebuilding, in milliseconds. */
const LOOK_AGAIN = 1_000;

/** Rebuilds for what is waiting, and keeps count. */
export interface Rebuilder {
	/** Rebuilds, unless another receiver does. @returns the pause before the next attempt, in milliseconds. */
	run(): Promise<number>;
	/** Counts and logs a failure. @returns the pause before the next attempt, in milliseconds. */
	failed(error: unknown): number;
	last(): RebuildOutcome | undefined;
	/** From now on, nothing is retried. */
	close(): void;
	/** Ends a running rebuild. */
	abort(): void;
	readonly counts: { readonly rebuilds: number; readonly failures: number };
}

/** @param now milliseconds since 1970. */
export function createRebuilder(
	options: Pick<CollectorOptions, 'log' | 'rebuild' | 'onLog'> & { readonly readLog: ChangeLog['waiting'] },
	timing: Timing,
	now: () => number,
): Rebuilder {
	const { log, rebuild, readLog } = options;
	const onLog = quietly(options.onLog);
	const ending = new AbortController();
	const counts = { rebuilds: 0, failures: 0 };
	let last: RebuildOutcome | undefined;
	let failuresInARow = 0;
	let isWaitingForOther = false;
	let isClosed = false;

	const failed = (error: unknown) => {
		counts.failures += 1;
		const pause = pauseAfter(timing, ++failuresInARow);
		if (!isClosed) onLog(`Rebuild failed: ${sentenceOf(error)} Retrying in ${seconds(pause)}.`);
		return pause;
	};
	const rebuildWaiting = async (hold: Hold | undefined) => {
		// Another receiver may have rebuilt these changes by now.
		const waiting = await readLog();
		if (!waiting) return 0;
		const { signal } = ending;
		last = await runRebuild({ rebuild, log, waiting, signal, onLog, started: hold?.started, now });
		if (last.error !== undefined) return failed(last.error);
		counts.rebuilds += 1;
		failuresInARow = 0;
		return 0;
	};
	return {
		async run() {
			try {
				const pause = await takeTurn(log, onLog, rebuildWaiting);
				if (pause === undefined && !isWaitingForOther) {
					onLog('Another receiver is rebuilding for the same changes; waiting for it.');
				}
				isWaitingForOther = pause === undefined;
				return pause ?? LOOK_AGAIN;
			} catch (error) {
				return failed(error);
			}
		},
		failed,
		last: () => last,
		close() {
			isClosed = true;
		},
		abort: () => ending.abort(new Error('The receiver is shutting down.')),
		counts,
	};
}
