/** How one try of a request ended. */
export interface EndedTry {
	/** Status of the answer; `undefined` if there was none. */
	readonly status?: number | undefined;
	/** From the start of the request to its end, in milliseconds. */
	readonly durationMs: number;
	/** Whether it ended because it took too long. */
	readonly timedOut: boolean;
}

/** How many requests may be in flight at once, depending on how the service copes with them. */
export interface AdaptiveConcurrency {
	/** Called with every try as it ends. */
	observe(ended: EndedTry): void;
	/** Between 1 and `most`. */
	current(): number;
}

/** Too many requests, or a service or its gateway that cannot keep up. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([429, 503, 504]);
/** The service did its job. Any other status, or none, says nothing about its load. */
const ANSWERS: ReadonlySet<number | undefined> = new Set([200, 304, 404]);
/** Share of the requests in flight that is kept after a single refusal, after several, and when answers take longer. */
const AFTER_ONE_REFUSAL = 0.875;
const AFTER_REFUSALS = 0.5;
const AFTER_RISE = 0.75;
/** Latency alone never lowers the number below this share of `most`, because it may have other causes. */
const LEAST_BY_LATENCY = 0.5;
/** Factor on the answers required for a step that caused refusals before, or that is made while answers take longer. */
const CAUTION = 20;

/**
 * Additive increase, multiplicative decrease, as in TCP (RFC 5681). Starts at `most`, and stays there while the service
 * keeps up.
 *
 * A refusal or a timeout lowers the number by an eighth, because any service refuses a request now and then. Another
 * one soon after halves it. Requests already in flight at that moment reflect the earlier load, and are ignored. When
 * answers take three times as long as at best ({@link createLatencyWatch}), the number falls by a quarter, but not
 * below half of `most`. As many successful answers as there are requests in flight raise it by one. The step to the
 * last refused number takes twenty times as many, so that a service with a fixed limit is not constantly provoked.
 *
 * @param options.most initial and maximum number of requests in flight.
 * @param options.now monotonic clock, in milliseconds.
 * @example
 * const concurrency = createAdaptiveConcurrency({ most: 8, now: () => performance.now() });
 * concurrency.observe({ status: 429, durationMs: 12, timedOut: false });
 * concurrency.current(); // 7
 */
export function createAdaptiveConcurrency(options: {
	readonly most: number;
	readonly now: () => number;
}): AdaptiveConcurrency {
	const { most, now } = options;
	const latency = createLatencyWatch();
	let current = most;
	let refusedAt: number | undefined;
	let loweredAt = Number.NEGATIVE_INFINITY;
	let answers = 0;
	// Answers since the last refusal.
	let quiet = Number.POSITIVE_INFINITY;

	const lower = (to: number, cause: 'latency' | 'refusal') => {
		current = to;
		loweredAt = now();
		answers = 0;
		latency.restart(cause);
	};

	return {
		current: () => current,
		observe({ status, durationMs, timedOut }) {
			if (now() - durationMs <= loweredAt) return;
			if (timedOut || REFUSALS.has(status)) {
				const isAlone = quiet > most;
				quiet = 0;
				// A single refusal says nothing about the limit.
				if (!isAlone) refusedAt = current;
				const share = isAlone ? AFTER_ONE_REFUSAL : AFTER_REFUSALS;
				lower(Math.max(1, Math.floor(current * share)), 'refusal');
				return;
			}
			if (!ANSWERS.has(status)) return;
			quiet += 1;
			const isSlower = latency.add(durationMs, current);
			const fewer = Math.floor(current * AFTER_RISE);
			if (isSlower && fewer >= Math.max(1, most * LEAST_BY_LATENCY)) {
				lower(fewer, 'latency');
				return;
			}
			if (current === most) return;
			answers += latency.isRaised || current + 1 === refusedAt ? 1 / CAUTION : 1;
			if (answers < current) return;
			current += 1;
			answers = 0;
		},
	};
}

/** Detects whether answers take longer because too many requests are in flight. */
interface LatencyWatch {
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
function createLatencyWatch(): LatencyWatch {
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
