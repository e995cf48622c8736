import type { Outcomes, Status } from '../prefetch/create-outcomes.js';

/** Products by what they came to. */
export type Totals = Readonly<Record<Status | 'products', number>>;

export function countStatuses(outcomes: Outcomes): Totals {
	const totals = { products: 0, fetched: 0, unchanged: 0, missing: 0, stale: 0, failed: 0 };
	for (const pid of outcomes.keys()) {
		const status = outcomes.statusOf(pid);
		if (!status) continue;
		totals.products += 1;
		totals[status] += 1;
	}
	return totals;
}
