import type { Timing } from '../collect/timing.js';
import type { WaitingInRedis } from './redis-log.js';

/** Time until the waiting changes are due for a rebuild, in milliseconds; 0 if they are due now. */
export function untilDue(
	{ now, firstAt, lastAt }: Pick<WaitingInRedis, 'now' | 'firstAt' | 'lastAt'>,
	{ quiet, atMost }: Pick<Timing, 'quiet' | 'atMost'>,
): number {
	return Math.max(0, Math.min(lastAt + quiet, firstAt + atMost) - now);
}
