import type { SharedStorage } from '../shared-storage/shared-storage.js';
import type { LiveMemories } from './live-memories.js';

/** Makes what a server remembers outdated. */
export interface LiveChanges {
	/** Takes over what other instances said of changes; `undefined` if there are none. */
	readonly listen: (() => Promise<void>) | undefined;
	/**
	 * Forgets products, and tells the other instances.
	 * @param pids `undefined` for all products.
	 * @returns whether all of them can learn of it.
	 */
	forget(pids: readonly string[] | undefined): Promise<boolean>;
}

export function createLiveChanges(
	memories: LiveMemories['all'],
	storage: Pick<SharedStorage, 'poll' | 'outdate'> | undefined,
): LiveChanges {
	const forgetHere = (pids: readonly string[] | undefined) => {
		for (const memory of memories) {
			if (pids) for (const pid of pids) memory.forget(pid);
			else memory.forgetAll();
		}
	};
	return {
		listen:
			storage &&
			(async () => {
				const changed = await storage.poll();
				if (changed === 'unsure') for (const memory of memories) memory.doubtAll();
				else forgetHere(changed === 'all' ? undefined : changed);
			}),
		async forget(pids) {
			forgetHere(pids);
			return (await storage?.outdate(pids)) ?? true;
		},
	};
}
