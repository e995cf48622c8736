import { createLatencyWatch } from './create-latency-watch.js';

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
