import { LONGEST_PAUSE } from './webhook-input.js';

/**
 * Reads `Retry-After`: seconds, or a date. In milliseconds from `now` (since 1970), at most a day; 0 for anything else.
 */
export function readRetryAfter(value: string | null, now: number): number {
	if (value === null) return 0;
	const pause = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
	return pause > 0 ? Math.min(pause, LONGEST_PAUSE) : 0;
}
