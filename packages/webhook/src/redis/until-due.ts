import type { WaitingInRedis } from './redis-log.js';

/** When to rebuild, in milliseconds; see the options of the collector. */
export interface Timing {
	readonly quiet: number;
	readonly atMost: number;
}

/** Time until the waiting changes are due for a rebuild, in milliseconds; 0 if they are due now. */
export function untilDue(
	{ now, firstAt, lastAt }: Pick<WaitingInRedis, 'now' | 'firstAt' | 'lastAt'>,
	{ quiet, atMost }: Timing,
): number {
	return Math.max(0, Math.min(lastAt + quiet, firstAt + atMost) - now);
}
