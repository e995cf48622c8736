/** Detects whether answers take longer because too many requests are in flight. */
export interface LatencyWatch {
	/** Whether answers take so long that more concurrent requests would not speed them up. */
	readonly isRaised: boolean;
	/**
	 * Adds the duration of one answer, in milliseconds.
	 * @param concurrency requests in flight at once. A round has as many answers, but at least 20.
	 * @returns whether fewer requests should be in flight. `true` only at the end of a round.
	 */
	add(durationMs: number, concurrency: number): boolean;
	/** Starts a new round, because fewer requests are in flight from now on. @param cause why there are fewer. */
	restart(cause: 'latency' | 'refusal'): void;
}

/** Minimum number of answers in a round. */
const LEAST_ROUND = 20;
/**
 * A round is judged by one of its fastest answers. If requests queue up at the service, even those are slow. If only
 * some answers are slow, or this machine is busy, they are not.
 */
const PERCENTILE = 0.15;
/** Weight of the latest round in the smoothed latency. */
const WEIGHT = 0.25;
/** Latency above this multiple of the baseline calls for fewer requests in flight ... */
const RISEN = 3;
/** ... until it is back below this multiple. */
const RAISED = 2;
/** A smaller rise above the baseline is ignored, in milliseconds. */
const LEAST_RISE = 100;
/**
 * With a quarter fewer requests, a queue is a quarter shorter. If latency stays above this share, no queue caused it.
 */
const UNCHANGED = 0.9;

/** The baseline is the lowest smoothed latency so far, initially from answers that came before the service was busy. */
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
			// Fewer requests did not help, so this is the new baseline: other products or times of day take longer.
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
