import { createClock } from 'product-reviews-test-support/clock';

/** A clock that stands still, and jumps to the next sleeper's end when everybody sleeps. */
export interface FakeTime {
	now(): number;
	sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
	/** How long each sleep was to be. */
	readonly slept: readonly number[];
	advance(milliseconds: number): void;
}

export function createFakeTime(): FakeTime {
	const { now, pass, after, skip } = createClock();
	const slept: number[] = [];
	return {
		now,
		slept,
		advance: pass,
		sleep(milliseconds, signal) {
			slept.push(milliseconds);
			return new Promise((resolve, reject) => {
				if (signal.aborted) return reject(signal.reason);
				const wake = after(milliseconds, resolve);
				signal.addEventListener('abort', () => {
					wake();
					reject(signal.reason);
				});
				setTimeout(skip, 2);
			});
		},
	};
}
