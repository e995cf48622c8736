/** Tells whether answers take longer because many are asked for at once. */
export interface LatencyWatch {
	/** Whether answers take long enough that asking for more at once would not bring them sooner. */
	readonly isRaised: boolean;
	/**
	 * Takes what one answer took, in milliseconds.
	 * @param concurrency requests in flight at once; a round is so many answers, and 20 at least.
	 * @returns whether fewer requests at once are called for: at the end of a round only.
	 */
	add(durationMs: number, concurrency: number): boolean;
	/** Starts a new round, since another number is asked for at once. @param cause why it is lower now. */
	restart(cause: 'latency' | 'refusal'): void;
}

/** Fewest answers that say something. */
const LEAST_ROUND = 20;
/**
 * What stands for a round is one of its quickest answers. Where requests queue up at the service even those are slow;
 * where single answers are slow, or this machine is busy with rendering, others are not.
 */
const PERCENTILE = 0.15;
/** How much the latest round counts in the smoothed latency. */
const WEIGHT = 0.25;
/** So many times the baseline calls for fewer requests at once ... */
const RISEN = 3;
/** ... until it is no more than so many times the baseline. */
const RAISED = 2;
/** Less than this above the baseline, in milliseconds, is not worth the doubt. */
const LEAST_RISE = 100;
/** A quarter fewer at once make a queue shorter by a quarter. What stays above this share did not come from a queue. */
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
			// Fewer at once did not help: other products, or another hour, take longer. That is the baseline from now on.
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
