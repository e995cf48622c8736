/**
 * How long to wait before a retry, in milliseconds: full jitter over an exponential window, so that clients that failed
 * together do not all retry together. The constants and the formula are those of the AWS SDKs.
 *
 * @param retry 0 for the first retry.
 * @param base the first window, in milliseconds.
 * @param random a number from 0 up to but not including 1.
 * @example backoffDelay(2, 200, () => 0.5) // 400
 */
export function backoffDelay(retry: number, base: number, random: () => number): number {
	return random() * Math.min(LONGEST_WINDOW_IN_MS, base * 2 ** retry);
}

const LONGEST_WINDOW_IN_MS = 20_000;
