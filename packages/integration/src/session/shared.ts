import type { BuildStorage } from '../cache/build-storage.js';
import { CHUNKS_IN_FLIGHT } from '../cache/start-revalidation.js';
import { type ReviewStore, SENT_KINDS } from '../store/review-store.js';
import { isConfirmedBy } from '../store/values.js';
import type { ChangedProducts } from './changed-products.js';
import type { OpenBuildStorage } from './open-build-storage.js';
import type { RunContext } from './run-context.js';

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

/** Opens the storage that builds share; `undefined` without the option `storage`, of which nothing is loaded then. */
export async function shareWithOthers({
	storage,
	...context
}: Pick<RunContext, 'storage' | 'connection' | 'options' | 'logger'>): Promise<OpenBuildStorage | undefined> {
	if (!storage) return undefined;
	const { openBuildStorage } = await import('./open-build-storage.js');
	return openBuildStorage(storage, context);
}

/**
 * Tells other builders and servers what changed: the products that whatever started this process named, and those that a
 * person marked in the store, with `astro-product-reviews cache invalidate`.
 */
export function tellOthers(
	shared: Pick<BuildStorage, 'outdate'>,
	store: Pick<ReviewStore, 'table' | 'pids'>,
	{ pids, all, isShard = false }: Told,
): void {
	shared.outdate(all && !isShard ? undefined : [...new Set([...pids, ...invalidated(store)])]);
}

/** What changed, and for whom. */
interface Told extends ChangedProducts {
	/**
	 * Whether this builds a part of the site. Other parts may have been built before this one starts, so what they fetched
	 * stays: together, they fetch everything. @default false
	 */
	readonly isShard?: boolean;
}

/** Products of which nothing was fetched since a person marked them. Otherwise, the others were told before that. */
function invalidated(store: Pick<ReviewStore, 'table' | 'pids'>): readonly string[] {
	const marked = store.pids('mark');
	const marks = store.table('mark').entries(marked);
	const fetched = SENT_KINDS.map((kind) => store.table(kind).entries(marked));
	const isPending = (pid: string, { fetchedAt }: { readonly fetchedAt: number }) =>
		isConfirmedBy(marks.get(pid), { fetchedAt });
	return marked.filter((pid) => fetched.every((entries) => isPending(pid, entries.get(pid) ?? NEVER)));
}

const NEVER = { fetchedAt: Number.NEGATIVE_INFINITY };
