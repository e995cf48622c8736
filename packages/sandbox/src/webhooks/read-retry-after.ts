import { LONGEST_PAUSE } from './webhook-input.js';

/**
 * Parses `Retry-After`, in seconds or as a date. Returns milliseconds from `now` (milliseconds since 1970), at most a day;
 * 0 for anything else.
 */
export function readRetryAfter(value: string | null, now: number): number {
	if (value === null) return 0;
	const pause = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
	return pause > 0 ? Math.min(pause, LONGEST_PAUSE) : 0;
}
