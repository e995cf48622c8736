import { createLosses, vanished } from '../failures/create-losses.js';
import { VANISHED_WITHIN } from '../failures/limits.js';
import type { Entries, Entry, Good } from './live-entries.js';
import type { LiveMemoryContext } from './live-memory.js';

/** Guards what a server remembers against a service that has lost its reviews. */
export interface LiveLosses<Value> {
	/**
	 * Lets an answer take the place of what is remembered.
	 * @param replace stores the answer.
	 * @throws ReviewServiceError if the answer is empty, and those for many other products that had reviews are as well.
	 */
	check(pid: string, value: Value, replace: () => void): Promise<void>;
}

export function createLiveLosses<Value, Known>(
	entries: Entries<Value, Known>,
	context: Pick<LiveMemoryContext<Value, Known>, 'isEmpty' | 'now' | 'monotonicNow' | 'onVanished'>,
): LiveLosses<Value> {
	const { isEmpty, now, monotonicNow, onVanished } = context;
	/** What was shown of products whose loss is believed, in case there turn out to be many. */
	const before = new Map<string, Good<Value, Known>>();
	const isShown = (pid: string) => entries.has(pid);

	const losses = createLosses<Entry<Value, Known>>({
		seen: entries.shown,
		entry: (pid) => (isShown(pid) ? entries.get(pid) : undefined),
		holdsReviews: () => true,
		isConfirmed: () => false,
		waits: false,
		onDoubt(pid) {
			const good = before.get(pid);
			before.delete(pid);
			if (!good || isShown(pid)) return;
			entries.setGood(pid, { good: { ...good, changedAt: now() }, failedAt: monotonicNow() }, false);
		},
		window: {
			length: VANISHED_WITHIN,
			monotonicNow,
			onEnd: (pid) => before.delete(pid),
			onMany: onVanished,
		},
	});
	return {
		async check(pid, value, replace) {
			const remembered = isShown(pid) ? entries.get(pid)?.good : undefined;
			if (!isEmpty(value)) losses.found(pid);
			else if (remembered) {
				before.set(pid, remembered);
				const isBelieved = await losses.isBelieved(pid);
				if (!isBelieved) before.delete(pid);
				// Even a loss that was believed may have been doubted since.
				if (!before.has(pid)) throw vanished();
			}
			replace();
		},
	};
}
