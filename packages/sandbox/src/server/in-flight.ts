/** Concurrency of requests to the three operations. */
export interface InFlight {
	/** Number of running requests. */
	readonly inFlight: number;
	/** Highest number of requests that ran at once. */
	readonly maxInFlight: number;
	/** Milliseconds spent at each level of concurrency: `{ 0: 12.5, 1: 3.1, 8: 410.2 }`. */
	readonly inFlightTimes: Readonly<Record<number, number>>;
}

/** An `InFlight` with methods to update it. */
export interface InFlightTracker extends InFlight {
	/** Updates the number of running requests. */
	change(by: 1 | -1): void;
	/** Resets the maximum and the times. */
	reset(): void;
}

/** Tracks requests in flight over time. Uses the monotonic clock, because a test clock may stand still. */
export function trackInFlight(): InFlightTracker {
	let current = 0;
	let maximum = 0;
	let since = performance.now();
	let times = new Map<number, number>();

	const settle = () => {
		const now = performance.now();
		times.set(current, (times.get(current) ?? 0) + now - since);
		since = now;
	};

	return {
		get inFlight() {
			return current;
		},
		get maxInFlight() {
			return maximum;
		},
		get inFlightTimes() {
			settle();
			return Object.fromEntries(times);
		},
		change(by) {
			settle();
			current += by;
			maximum = Math.max(maximum, current);
		},
		reset() {
			times = new Map();
			since = performance.now();
			maximum = current;
		},
	};
}
