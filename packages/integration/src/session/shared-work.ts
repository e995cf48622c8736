import { CHUNKS_IN_FLIGHT } from '../cache/check-ahead.js';

/** How a build goes through its product list if others fetch the same products at the same time. */
export interface SharedWork {
	/** How many products are looked at ahead. */
	readonly lookahead: number;
	/** How many of them this build locks at once. */
	readonly slots: number;
	/** How many chunks of the list are looked up at once. */
	readonly chunksInFlight: number;
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

/** What the driver of a storage can do. */
interface Abilities {
	readonly canLock: boolean;
	/** Whether it reads many keys in one round trip. */
	readonly canReadMany: boolean;
}

/**
 * With locks, all builders work in the order of the list, and skip what another one is fetching. Without them, they fetch in
 * random order and look again just before each request, so that two rarely fetch the same product at the same time.
 * @param concurrency requests in flight.
 */
export function planSharedWork({ canLock, canReadMany }: Abilities, concurrency: number): SharedWork {
	// A chunk that takes a request for each key is many requests already.
	const chunksInFlight = canReadMany ? CHUNKS_IN_FLIGHT : 1;
	if (!canLock) return { slots: concurrency, lookahead: concurrency, chunksInFlight, order: shuffled };
	const slots = LOCKED_PER_REQUEST * concurrency;
	return {
		slots,
		lookahead: LOOKAHEAD_PER_LOCK * slots,
		chunksInFlight,
		order: (products) => products,
	};
}

/** Ids to choose from. More would delay the first one of a list that is slow to read. */
const MOST_WAITING = 1_000;

/** A list in random order: each next product is any of those that are waiting. @param random 0 to less than 1. */
async function* shuffled(
	list: AsyncGenerator<string, void, undefined>,
	random: () => number = Math.random,
): AsyncGenerator<string, void, undefined> {
	const waiting: string[] = [];
	const takeOne = () => {
		const index = Math.floor(random() * waiting.length);
		const taken = waiting[index] as string;
		waiting[index] = waiting.at(-1) as string;
		waiting.pop();
		return taken;
	};
	for await (const pid of list) {
		waiting.push(pid);
		if (waiting.length > MOST_WAITING) yield takeOne();
	}
	while (waiting.length > 0) yield takeOne();
}
