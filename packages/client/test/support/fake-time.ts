/** A clock that stands still, and jumps to the next sleeper's end when everybody sleeps. */
export interface FakeTime {
	now(): number;
	sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
	/** How long each sleep was to be. */
	readonly slept: readonly number[];
	advance(milliseconds: number): void;
}

export const START = Date.parse('2026-11-20T12:00:00Z');

export function createFakeTime(): FakeTime {
	let time = START;
	const slept: number[] = [];
	let sleepers: { at: number; wake: () => void }[] = [];

	function jump(): void {
		const next = Math.min(...sleepers.map(({ at }) => at));
		if (!Number.isFinite(next)) return;
		time = Math.max(time, next);
		const awake = sleepers.filter(({ at }) => at <= time);
		sleepers = sleepers.filter(({ at }) => at > time);
		for (const { wake } of awake) wake();
	}

	return {
		now: () => time,
		slept,
		advance(milliseconds) {
			time += milliseconds;
		},
		sleep(milliseconds, signal) {
			slept.push(milliseconds);
			return new Promise((resolve, reject) => {
				if (signal.aborted) return reject(signal.reason);
				const sleeper = { at: time + milliseconds, wake: resolve };
				sleepers.push(sleeper);
				signal.addEventListener('abort', () => {
					sleepers = sleepers.filter((other) => other !== sleeper);
					reject(signal.reason);
				});
				setTimeout(jump, 2);
			});
		},
	};
}
