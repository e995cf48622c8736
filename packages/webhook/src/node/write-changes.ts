import type { Change } from '../changes/change.js';
import { ALL } from './mend-rows.js';
import type { prepareWrites } from './prepare-writes.js';

/** How long ids of events are kept, in milliseconds: twice as long as a signed request is valid. */
const EVENTS_KEPT = 1_200_000;

/**
 * Writes changes that arrived together. Call it in a transaction.
 * @param mend removes damaged rows, which cannot be written over.
 * @returns which changes are new.
 */
export function writeChanges(
	changes: readonly Change[],
	{ addEvent, removeEvents, nextNumber, mark }: ReturnType<typeof prepareWrites>,
	mend: () => void,
): readonly boolean[] {
	removeEvents.run((changes.at(-1)?.receivedAt ?? 0) - EVENTS_KEPT);
	if (nextNumber.run().changes === 0) mend();
	return changes.map(({ id, pids, all, receivedAt }) => {
		if (id !== undefined && addEvent.run(id, receivedAt).changes === 0) return false;
		for (const pid of all ? [ALL] : pids) {
			if (mark.run(pid, receivedAt, receivedAt).changes > 0) continue;
			mend();
			mark.run(pid, receivedAt, receivedAt);
		}
		return true;
	});
}
