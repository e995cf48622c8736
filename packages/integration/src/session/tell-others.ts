import type { BuildStorage } from '../cache/build-storage.js';
import { isConfirmedBy } from '../store/pack.js';
import { type ReviewStore, SENT_KINDS } from '../store/review-store.js';
import type { ChangedProducts } from './read-changed-products.js';

/**
 * Tells other builders and servers what changed: the products that whatever started this process named, and those that a
 * person marked in the store, with `astro-product-reviews invalidate`.
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
