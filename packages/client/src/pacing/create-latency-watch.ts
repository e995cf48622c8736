/** Tells whether answers take longer because many are asked for at once. */
export interface LatencyWatch {
	/** Whether answers take long enough that asking for more at once would not bring them sooner. */
	readonly isRaised: boolean;
	/**
	 * Takes how long one answer took, in milliseconds.
	 * @param concurrency requests in flight at once; a round is as many answers, and at least 20.
	 * @returns whether fewer requests should be in flight: `true` only at the end of a round.
	 */
	add(durationMs: number, concurrency: number): boolean;
	/** Starts a new round, since fewer requests are in flight from now on. @param cause why they are fewer. */
	restart(cause: 'latency' | 'refusal'): void;
}

/** Fewest answers that mean anything. */
const LEAST_ROUND = 20;
/**
 * A round is judged by one of its quickest answers. Where requests queue up at the service even those are slow; where
 * single answers are slow, or this machine is busy, others are not.
 */
const PERCENTILE = 0.15;
/** How much the latest round counts in the smoothed latency. */
const WEIGHT = 0.25;
/** Latency of this many times the baseline calls for fewer requests at once ... */
const RISEN = 3;
/** ... until it is back to this many times the baseline. */
const RAISED = 2;
/** Less than this above the baseline, in milliseconds, is not worth the doubt. */
const LEAST_RISE = 100;
/** With a quarter fewer requests a queue is a quarter shorter. Latency above this share of what it was did not come from a queue. */
const UNCHANGED = 0.9;

/** The baseline is the shortest smoothed latency so far: at first that of the answers that came before all were busy. */
export function createLatencyWatch(): LatencyWatch {
	let round: number[] = [];
	let latest: number | undefined;
	let smoothed: number | undefined;
	let baseline = Number.POSITIVE_INFINITY;
	let before: number | undefined;
	let isRisen = false;
	let isRaised = false;

	return {
		get isRaised() {
			return isRaised;
		},
		add(durationMs, concurrency) {
			round.push(durationMs);
			if (round.length < Math.max(LEAST_ROUND, concurrency)) return false;
			latest = lowOf(round);
			round = [];
			smoothed = smoothed === undefined ? latest : smoothed + WEIGHT * (latest - smoothed);
			// Fewer requests did not help: other products, or another hour, take longer. That is the baseline from now on.
			if (before !== undefined && smoothed > before * UNCHANGED) baseline = smoothed;
			before = undefined;
			baseline = Math.min(baseline, smoothed);
			const isAbove = (times: number) =>
				(smoothed as number) > Math.max(times * baseline, baseline + LEAST_RISE);
			isRaised = isAbove(RAISED);
			isRisen = isAbove(isRisen ? RAISED : RISEN);
			return isRisen;
		},
		restart(cause) {
			before = cause === 'latency' ? latest : undefined;
			smoothed = undefined;
			round = [];
		},
	};
}

function lowOf(durations: readonly number[]): number {
	const sorted = durations.toSorted((a, b) => a - b);
	return sorted[Math.floor(PERCENTILE * sorted.length)] as number;
}
