import { setImmediate } from 'node:timers/promises';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** Creates a clock that stands still until the test moves it, and its timers. */
export function createClock() {
	let time = NOW;
	let timers: { readonly at: number; readonly action: () => void }[] = [];
	return {
		now: () => time,
		/** Moves the clock by milliseconds, backwards too, and runs no timer. */
		pass(milliseconds: number): void {
			time += milliseconds;
		},
		/** Sets a timer. @returns a function that takes it back. */
		after(milliseconds: number, action: () => void): () => void {
			if (!(milliseconds >= 0)) throw new Error(`A timer was set for ${milliseconds} ms.`);
			const timer = { at: time + milliseconds, action };
			timers.push(timer);
			return () => {
				timers = timers.filter((other) => other !== timer);
			};
		},
		/** Moves the clock to the next timer, if there is one, and runs all that are due then. */
		skip(): void {
			const [next] = timers.toSorted((one, other) => one.at - other.at);
			time = Math.max(time, next?.at ?? time);
			const due = timers.filter(({ at }) => at <= time);
			timers = timers.filter(({ at }) => at > time);
			for (const { action } of due) action();
		},
	};
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
