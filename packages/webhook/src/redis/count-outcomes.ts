import type { CollectorStatus } from '../collect/collector-options.js';
import type { RebuildOutcome } from '../collect/run-rebuild.js';
import { pauseAfter, type Timing } from '../collect/timing.js';
import { seconds } from '../collect/wording.js';
import { noteOutcome } from './read-status.js';
import type { RedisLog } from './redis-log.js';

/** Options of {@link countOutcomes}. */
export interface CountOutcomesOptions {
	readonly log: RedisLog;
	readonly timing: Timing;
	/** Of this receiver; they are counted here. */
	readonly counts: { -readonly [Name in keyof CollectorStatus['counts']]: number };
	readonly onLog: (line: string) => void;
	/** Called with connection errors. */
	readonly onError: (error: unknown) => void;
}

/** Returns a function that counts the outcome of a rebuild, logs a failure, and notes it for the status of all receivers. */
export function countOutcomes({ log, timing, counts, onLog, onError }: CountOutcomesOptions) {
	return async (outcome: RebuildOutcome, attempt: number): Promise<void> => {
		const pause = pauseAfter(timing, attempt);
		if (outcome.error === undefined) counts.rebuilds += 1;
		else {
			counts.failures += 1;
			onLog(`Rebuild failed: ${outcome.error} Retrying in ${seconds(pause)}.`);
		}
		await noteOutcome(log, outcome, pause).catch(onError);
	};
}
