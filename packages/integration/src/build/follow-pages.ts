import type { ProductOrder } from './open-product-list.js';

/** What is fetched ahead of the pages that ask for it. */
export interface FollowContext {
	/** The product list, as far as it has been read. Pages mostly follow its order. */
	readonly order: Pick<ProductOrder, 'size' | 'values'>;
	/** Resolves when it is known which stored products are outdated; `undefined` if this is not checked. */
	readonly checked: Promise<unknown> | undefined;
	/** Makes sure that what pages ask for is fresh in the store. */
	readonly refresh: (pid: string) => Promise<void>;
}

/** Products that pages must ask for before anything is fetched ahead, so a site with few such pages fetches no more. */
const SAMPLE = 4;
/** Maximum number of products fetched ahead of the pages. */
const WINDOW = 256;

/**
 * Fetches products ahead of the pages that ask for them. Otherwise each page would wait for its own request, one page
 * after the other. The more products pages have asked for, the more are fetched ahead, up to twice as many: it is
 * unknown whether all pages need them.
 * @returns a function to call with each product that a page asks for.
 */
export function followPages({ order, checked, refresh }: FollowContext): (pid: string) => void {
	const asked = new Set<string>();
	const ahead = new Set<string>();
	const upcoming = order.values();
	let passed = 0;
	let isKnown = checked === undefined;

	const follow = () => {
		if (!isKnown || asked.size < SAMPLE) return;
		const most = Math.min(WINDOW, 2 * asked.size);
		// Compare with `size`, because the iterator of a set that is still growing would finish for good.
		for (; passed < order.size && ahead.size < most; passed++) {
			const pid = upcoming.next().value as string;
			if (asked.has(pid)) continue;
			ahead.add(pid);
			// The page that asks for it reports the failure.
			refresh(pid).catch(() => {});
		}
	};
	void checked?.then(() => {
		isKnown = true;
		follow();
	});
	return (pid) => {
		asked.add(pid);
		ahead.delete(pid);
		follow();
	};
}
