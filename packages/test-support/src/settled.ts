import { setImmediate } from 'node:timers/promises';

/** What happens outside of the process, such as in a database, and is waited for. */
export const outside = new Set<Promise<unknown>>();

/** Lets everything happen that waits for nothing but its turn, or for what is outside. */
export async function settled(): Promise<void> {
	for (let turn = 0; turn < 20; turn += 1) {
		await setImmediate();
		if (outside.size > 0) await Promise.allSettled(outside);
	}
}
