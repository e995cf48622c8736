import { createColumn } from '../collections/create-column.js';
import { createTextSet } from '../collections/create-text-set.js';

/** Which pages show which product. */
export interface PagesByProduct {
	/** Adds a page with the products that it shows. */
	add(address: string, pids: Iterable<string>): void;
	/** Addresses of the pages that show a product, in the order of the build. */
	pagesOf(pid: string): readonly string[];
	/** Number of pages that show a product. */
	readonly count: number;
}

export function createPagesByProduct(): PagesByProduct {
	const products = createTextSet();
	const addresses = createTextSet();
	// A linked list of pages for each product. Each link points to the one before; the first has the number 1.
	const lastOfProduct = createColumn(Uint32Array);
	const before = createColumn(Uint32Array);
	const addressOfLink = createColumn(Uint32Array);
	let links = 0;
	let count = 0;
	return {
		add(address, pids) {
			const distinct = new Set(pids);
			if (distinct.size === 0) return;
			count += 1;
			const page = addresses.add(address);
			for (const pid of distinct) {
				const product = products.add(pid);
				links += 1;
				addressOfLink.set(links, page);
				before.set(links, lastOfProduct.get(product));
				lastOfProduct.set(product, links);
			}
		},
		pagesOf(pid) {
			const found: string[] = [];
			const product = products.indexOf(pid);
			for (let link = lastOfProduct.get(product); link > 0; link = before.get(link)) {
				found.push(addresses.at(addressOfLink.get(link)));
			}
			return found.reverse();
		},
		get count() {
			return count;
		},
	};
}
