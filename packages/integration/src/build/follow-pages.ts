import type { ProductOrder } from './open-product-list.js';

/** What is fetched ahead of the pages that ask for it. */
export interface FollowContext {
	/** The product list, as far as it was read: pages mostly come in its order. */
	readonly order: Pick<ProductOrder, 'size' | 'values'>;
	/** Resolves when it is known which stored products are outdated; `undefined` where nobody checks them. */
	readonly checked: Promise<unknown> | undefined;
	/** Makes sure that what pages ask for is fresh in the store. */
	readonly refresh: (pid: string) => Promise<void>;
}

/** Products that pages ask for before something is fetched ahead: a site of few such pages fetches what these show. */
const SAMPLE = 4;
/** Most products that are fetched, and that no page has asked for yet. */
const WINDOW = 256;

/**
 * Follows what pages ask for: without it, each page would wait for a request of its own, one page after the other. The
 * more products pages have asked for, the more of the list is fetched ahead, but never more than twice as many: whether
 * all pages want it is not known.
 * @returns is to be told of each product that a page asks for.
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
		// The end of a set that still grows is not its end.
		for (; passed < order.size && ahead.size < most; passed++) {
			const pid = upcoming.next().value as string;
			if (asked.has(pid)) continue;
			ahead.add(pid);
			// The page that asks for it says what went wrong.
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
