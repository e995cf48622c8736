import { setImmediate } from 'node:timers/promises';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** A clock that stands still until the test moves it, and its timers. */
export interface TestClock {
	readonly now: () => number;
	/** Moves the clock by milliseconds, backwards too, and runs no timer. */
	readonly pass: (milliseconds: number) => void;
	/** Sets a timer. @returns a function that takes it back. */
	readonly after: (milliseconds: number, action: () => void) => () => void;
	/** Moves the clock on, timer by timer, and lets everything happen that comes of each. */
	readonly advance: (milliseconds: number) => Promise<void>;
	/** Moves the clock to the next timer, if there is one, and runs all that are due then. */
	readonly skip: () => void;
	readonly timers: number;
	/** The next timer goes off this much too early, as those of machines do. */
	early: number;
}

export function createClock(start = NOW): TestClock {
	let time = start;
	let timers: { readonly at: number; readonly action: () => void }[] = [];
	const nextTimer = () => timers.toSorted((one, other) => one.at - other.at)[0];
	const run = (timer: { readonly at: number; readonly action: () => void }) => {
		timers = timers.filter((other) => other !== timer);
		time = Math.max(time, timer.at);
		timer.action();
	};
	const clock: TestClock = {
		early: 0,
		now: () => time,
		pass(milliseconds) {
			time += milliseconds;
		},
		after(milliseconds, action) {
			if (!(milliseconds >= 0)) throw new Error(`A timer was set for ${milliseconds} ms.`);
			const timer = { at: time + Math.max(0, milliseconds - clock.early), action };
			clock.early = 0;
			timers.push(timer);
			return () => {
				timers = timers.filter((other) => other !== timer);
			};
		},
		async advance(milliseconds) {
			const end = time + milliseconds;
			await settled();
			for (let next = nextTimer(); next && next.at <= end; next = nextTimer()) {
				run(next);
				await settled();
			}
			time = end;
		},
		skip() {
			const until = Math.max(time, nextTimer()?.at ?? time);
			const due = timers.filter(({ at }) => at <= until);
			for (const timer of due) run(timer);
		},
		get timers() {
			return timers.length;
		},
	};
	return clock;
}

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
	for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

/** Returns what a function throws, or what its promise or a given promise rejects with. */
export async function errorOf(
	action: Promise<unknown> | (() => unknown),
): Promise<Error & { readonly hint?: string }> {
	try {
		await (typeof action === 'function' ? action() : action);
	} catch (error) {
		return error as Error & { readonly hint?: string };
	}
	throw new Error('An error was to be thrown, and none was.');
}
