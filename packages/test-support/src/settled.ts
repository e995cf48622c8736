import { setImmediate } from 'node:timers/promises';

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
	for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}
