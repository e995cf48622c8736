/** How many answers took how long. */
export interface TimeRange {
	/** @example '10 to 20 ms' */
	readonly label: string;
	readonly count: number;
}

/** In milliseconds. */
const LIMITS = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;

/**
 * Counts times in milliseconds by range, without the empty ranges at both ends.
 * @example countTimes([12, 15, 60]) // 10 to 20 ms: 2, 20 to 50 ms: 0, 50 to 100 ms: 1
 */
export function countTimes(times: readonly number[]): TimeRange[] {
	const counts = new Array<number>(LIMITS.length + 1).fill(0);
	for (const time of times) {
		const above = LIMITS.findIndex((limit) => time < limit);
		const index = above < 0 ? LIMITS.length : above;
		counts[index] = (counts[index] ?? 0) + 1;
	}
	const first = counts.findIndex((count) => count > 0);
	const last = counts.findLastIndex((count) => count > 0);
	return counts.map((count, index) => ({ label: labelOf(index), count })).slice(Math.max(0, first), last + 1);
}

/**
 * The time that a share of all times does not exceed.
 * @param sorted from the shortest to the longest, at least one.
 * @param share from 0 to 1.
 */
export function percentile(sorted: readonly number[], share: number): number {
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function labelOf(index: number): string {
	const [from, to] = [LIMITS[index - 1], LIMITS[index]];
	if (from === undefined) return `under ${withUnit(LIMITS[0])}`;
	if (to === undefined) return `${withUnit(from)} or more`;
	return to < 1_000 ? `${from} to ${withUnit(to)}` : `${from / 1_000} to ${withUnit(to)}`;
}

function withUnit(ms: number): string {
	return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}
