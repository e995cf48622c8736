import type { WaitingInRedis } from './redis-log.js';

/** When to rebuild; see the options of the collector. Milliseconds. */
export interface Timing {
	readonly quiet: number;
	readonly atMost: number;
}

/** How long until what waits is to be rebuilt, in milliseconds; 0 where it is now. */
export function untilDue(
	{ now, firstAt, lastAt }: Pick<WaitingInRedis, 'now' | 'firstAt' | 'lastAt'>,
	{ quiet, atMost }: Timing,
): number {
	return Math.max(0, Math.min(lastAt + quiet, firstAt + atMost) - now);
}
