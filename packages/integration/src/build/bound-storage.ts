import type { SharedStorage } from '../shared-storage/shared-storage.js';

/** From this duration on, an operation counts as slow, in milliseconds. */
const SLOW = 1_000;
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

	async function timed<Result>(operation: () => Promise<Result>): Promise<Result> {
		const startedAt = monotonicNow();
		const result = await operation();
		const endedAt = monotonicNow();
		// Operations that are slow at the same time cost as much as one.
		if (endedAt - startedAt < SLOW || endedAt - countedAt < SLOW || isGivenUp()) return result;
		countedAt = endedAt;
		slow += 1;
		if (isGivenUp()) onGivenUp();
		return result;
	}

	return {
		read: async (kind, pids) => (isGivenUp() ? new Map() : timed(() => storage.read(kind, pids))),
		write: async (entries) => !isGivenUp() && storage.write(entries),
		lock: async (...args) => (isGivenUp() ? async () => {} : timed(() => storage.lock(...args))),
		now: storage.now,
	};
}
