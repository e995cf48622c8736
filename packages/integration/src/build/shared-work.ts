import { shuffled } from './shuffled.js';

/** How a build goes through its product list if others fetch the same products at the same time. */
export interface SharedWork {
	/** How many products are looked at ahead. */
	readonly lookahead: number;
	/** How many of them this build locks at once. */
	readonly slots: number;
	/** The products of a list, in the order in which to fetch them. */
	order(products: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined>;
}

/**
 * Products locked at once, per request in flight: enough to continue while Astro keeps this thread busy, and few enough to be
 * fetched long before the locks end.
 */
const LOCKED_PER_REQUEST = 8;
/** Products looked at ahead, per locked one: as many builders find products that no other one has locked. */
const LOOKAHEAD_PER_LOCK = 8;

/**
 * With locks, all builders work in the order of the list, and skip what another one is fetching. Without them, they fetch in
 * random order and look again just before each request, so that two rarely fetch the same product at the same time.
 * @param concurrency requests in flight.
 */
export function planSharedWork(canLock: boolean, concurrency: number): SharedWork {
	if (!canLock) return { slots: concurrency, lookahead: concurrency, order: shuffled };
	const slots = LOCKED_PER_REQUEST * concurrency;
	return { slots, lookahead: LOOKAHEAD_PER_LOCK * slots, order: (products) => products };
}
