/** Which pages show which product. */
export interface PagesByProduct {
	/** A page shows these products. */
	add(address: string, pids: Iterable<string>): void;
	/** Addresses of the pages that show a product, in the order of the build. */
	pagesOf(pid: string): readonly string[];
	/** Pages that show a product. */
	readonly count: number;
}

export function createPagesByProduct(): PagesByProduct {
	// Most products are on one page, and need no list.
	const pages = new Map<string, string | string[]>();
	let count = 0;
	return {
		add(address, pids) {
			const distinct = new Set(pids);
			if (distinct.size > 0) count += 1;
			for (const pid of distinct) {
				const known = pages.get(pid);
				if (Array.isArray(known)) known.push(address);
				else pages.set(pid, known === undefined ? address : [known, address]);
			}
		},
		pagesOf: (pid) => [pages.get(pid) ?? []].flat(),
		get count() {
			return count;
		},
	};
}
