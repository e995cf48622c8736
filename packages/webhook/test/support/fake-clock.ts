import type { Clock } from '../../src/index.js';
import { NOW } from './signing.js';

export interface FakeClock extends Clock {
	/** Moves the time on, timer by timer, and lets everything happen that comes of each. */
	advance(milliseconds: number): Promise<void>;
	/** Timers go off this much too early, as those of machines do. */
	early: number;
	/** Timers that are set. */
	readonly timers: number;
}

export function createFakeClock(): FakeClock {
	let time = NOW;
	let timers: { readonly at: number; readonly action: () => void }[] = [];
	const clock: FakeClock = {
		early: 0,
		now: () => time,
		after(milliseconds, action) {
			if (!(milliseconds >= 0)) throw new Error(`A timer was set for ${milliseconds} ms.`);
			const timer = { at: time + Math.max(0, milliseconds - clock.early), action };
			// A timer that is early is so once.
			clock.early = 0;
			timers.push(timer);
			return () => {
				timers = timers.filter((other) => other !== timer);
			};
		},
		get timers() {
			return timers.length;
		},
		async advance(milliseconds) {
			const end = time + milliseconds;
			await settled();
			for (;;) {
				const [next] = timers.toSorted((one, other) => one.at - other.at);
				if (!next || next.at > end) break;
				timers = timers.filter((timer) => timer !== next);
				time = Math.max(time, next.at);
				next.action();
				await settled();
			}
			time = end;
		},
	};
	return clock;
}

/** What happens outside of the process, such as in a database: it is waited for. */
export const outside = new Set<Promise<unknown>>();

/** Lets everything happen that waits for nothing but its turn, or for what is outside. */
export async function settled(): Promise<void> {
	for (let turn = 0; turn < 8; turn += 1) {
		await new Promise((resolve) => setImmediate(resolve));
		await Promise.allSettled(outside);
	}
}
