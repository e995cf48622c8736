import type { StorageContext } from './storage-context.js';

/** A clock that all instances keep together: none of them is behind what it has read. Milliseconds since 1970. */
export interface SharedClock {
	now(): number;
	/** Reads a time that another instance wrote. */
	see(time: number): void;
	/** The latest time of another instance that is believed. */
	latest(): number;
}

/** How far the clock of another instance may be ahead, in milliseconds: a day. */
const MOST_AHEAD = 86_400_000;

/**
 * Every instance follows the one whose clock is furthest ahead, as hybrid logical clocks do. Otherwise an instance whose
 * clock is behind would take an old answer for a fresh one.
 */
export function createSharedClock({ now }: Pick<StorageContext, 'now'>): SharedClock {
	let lead = 0;
	const latest = () => now() + MOST_AHEAD;
	return {
		now: () => now() + lead,
		see(time) {
			if (time <= latest()) lead = Math.max(lead, time - now());
		},
		latest,
	};
}
