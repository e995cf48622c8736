import type { Totals } from '../../report/count-statuses.js';
import type { Refreshed } from './refresh-store.js';

/** Failed products that are listed. The others are only counted. */
export const MOST_FAILED = 1_000;

/** What the workers of a run did together, or one of them. */
export interface RefreshSum extends Refreshed {
	/** How many products failed. At most a thousand of them are in {@link Refreshed.failed}. */
	readonly failures: number;
}

/** Adds what was done with one chunk. @param isLastTry whether failed products are not tried again. */
export function addUp(
	sum: RefreshSum,
	{ totals, requests, failed }: Refreshed,
	isLastTry: boolean,
): RefreshSum {
	const final = isLastTry ? failed : [];
	return {
		totals: addTotals(sum.totals, totals),
		requests: sum.requests + requests,
		failures: sum.failures + final.length,
		failed: [...sum.failed, ...final].slice(0, MOST_FAILED),
	};
}

function addTotals(one: Totals, other: Totals): Totals {
	const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof Totals>;
	return Object.fromEntries(
		[...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]),
	) as unknown as Totals;
}
