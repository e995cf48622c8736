import type { Outcomes, Status } from '../outcomes/create-outcomes.js';

/** Products by outcome. */
export type Totals = Readonly<Record<Exclude<Status, 'unreadable'> | 'products', number>> & {
	/** Left out if there are none. */
	readonly unreadable?: number;
};

/** @param without products that do not count. */
export function countStatuses(outcomes: Outcomes, without: ReadonlySet<string> = new Set()): Totals {
	const totals = { products: 0, fetched: 0, unchanged: 0, missing: 0, stale: 0, failed: 0 };
	let unreadable = 0;
	for (const pid of outcomes.keys()) {
		const status = outcomes.statusOf(pid);
		if (!status || without.has(pid)) continue;
		totals.products += 1;
		if (status === 'unreadable') unreadable += 1;
		else totals[status] += 1;
	}
	return unreadable === 0 ? totals : { ...totals, unreadable };
}
