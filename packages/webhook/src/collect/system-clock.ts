import type { Clock } from './collector-options.js';

/** The clock of the system. */
export const systemClock: Clock = {
	now: Date.now,
	after(milliseconds, action) {
		const timer = setTimeout(action, Math.min(milliseconds, LONGEST_TIMER));
		return () => clearTimeout(timer);
	},
};

/** Timers take a signed 32-bit number. */
const LONGEST_TIMER = 2_147_483_647;
