/** How many requests run at once. */
export interface InFlight {
	/** Requests to the three operations that run now. */
	readonly inFlight: number;
	/** The most that ran at once. */
	readonly maxInFlight: number;
	/** For how many milliseconds how many requests ran at once: `{ 0: 12.5, 1: 3.1, 8: 410.2 }`. */
	readonly inFlightTimes: Readonly<Record<number, number>>;
}

/** An `InFlight` that its owner changes. */
export interface InFlightTracker extends InFlight {
	/** Adds to the number that runs now. */
	change(by: 1 | -1): void;
	/** Starts the greatest number and the times anew. */
	reset(): void;
}

/** Counts requests in flight, weighted by time. Measures with the monotonic clock: a stopped test clock would say 0. */
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
