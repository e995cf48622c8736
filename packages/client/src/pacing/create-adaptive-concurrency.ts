import { createLatencyWatch } from './create-latency-watch.js';

/** How one try of a request ended. */
export interface EndedTry {
	/** Status of the answer; `undefined` where none came. */
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
/** The service did what it was asked to. Any other status, or none, says nothing about its load. */
const ANSWERS: ReadonlySet<number | undefined> = new Set([200, 304, 404]);
/** Share of the requests in flight that is left after a single refusal, after more of them, and when answers take longer. */
const AFTER_ONE_REFUSAL = 0.875;
const AFTER_REFUSALS = 0.5;
const AFTER_RISE = 0.75;
/** Latency alone never costs more than this share of `most`: it may have causes that are not ours. */
const LEAST_BY_LATENCY = 0.5;
/** How many times as many answers a step takes that has brought refusals before, or that is made while answers take longer. */
const CAUTION = 20;

/**
 * Additive increase, multiplicative decrease, as TCP does it (RFC 5681). It starts at `most`, and stays there while the
 * service copes.
 *
 * A refusal or a time-out lowers the number by an eighth, since any service refuses something now and then; another one
 * soon after it halves the number. Requests that were under way at that moment reflect the load before it, and are ignored.
 * When answers take three times as long as at best ({@link createLatencyWatch}), the number falls by a quarter, but not below
 * half of `most`. As many right answers as are in flight raise it by one; the step to the number that was refused last takes
 * twenty times as many, so that a service with a fixed limit is not provoked all the time.
 *
 * @param options.most requests in flight at once, at first and at most.
 * @param options.now milliseconds, on a clock that is never set back.
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
				// A single one says nothing about where the limit is.
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
