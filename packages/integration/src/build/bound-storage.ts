import type { SharedStorage } from '../shared-storage/shared-storage.js';

/** From this duration on, an operation counts as slow, in milliseconds. */
const SLOW = 1_000;
/** How much longer reading may take for each product, in milliseconds: about as long as the service takes. */
const SLOW_PER_PRODUCT = 20;
/** How many seconds with slow operations a build puts up with. */
const MOST_SLOW = 10;

/** What builds use of the storage. */
type Bounded = Pick<SharedStorage, 'read' | 'write' | 'lock' | 'now'>;

/**
 * Limits what a slow storage costs a build. One that fails is given up for a second by itself; one that answers, but each
 * time just before that, would delay every product.
 * @param onGivenUp called when the storage is no longer used.
 */
export function boundStorage(storage: Bounded, monotonicNow: () => number, onGivenUp: () => void): Bounded {
	let slow = 0;
	let countedAt = Number.NEGATIVE_INFINITY;
	const isGivenUp = () => slow >= MOST_SLOW;

	async function timed<Result>(operation: () => Promise<Result>, extra = 0): Promise<Result> {
		const startedAt = monotonicNow();
		const result = await operation();
		const endedAt = monotonicNow();
		// Operations that are slow at the same time cost as much as one.
		if (endedAt - startedAt < SLOW + extra || endedAt - countedAt < SLOW || isGivenUp()) return result;
		countedAt = endedAt;
		slow += 1;
		if (isGivenUp()) onGivenUp();
		return result;
	}

	return {
		read: async (kind, pids) =>
			isGivenUp() ? new Map() : timed(() => storage.read(kind, pids), SLOW_PER_PRODUCT * pids.length),
		write: async (entries) => !isGivenUp() && storage.write(entries),
		lock: async (...args) => (isGivenUp() ? async () => {} : timed(() => storage.lock(...args))),
		now: storage.now,
	};
}
