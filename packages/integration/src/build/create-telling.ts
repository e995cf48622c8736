import type { SharedStorage } from '../shared-storage/shared-storage.js';

/** Tells other builders and servers which products changed, in the background. */
export interface Telling {
	/** @param pids `undefined` for all products. */
	outdate(pids: readonly string[] | undefined): void;
	/** Waits until the storage has everything. @returns `false` if it fails */
	told(): Promise<boolean>;
}

export function createTelling(storage: Pick<SharedStorage, 'outdate'>): Telling {
	// Each call stores what is still waiting as well, so only the last one counts.
	let last: Promise<boolean> | undefined;
	return {
		outdate(pids) {
			if (pids?.length !== 0) last = storage.outdate(pids);
		},
		async told() {
			if (!last || (await last)) return true;
			// The storage may work again.
			return storage.outdate([]);
		},
	};
}
