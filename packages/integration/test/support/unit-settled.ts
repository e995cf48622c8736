import { setImmediate } from 'node:timers/promises';

/** Waits until everything that is not waiting for the outside is done. */
export async function settled(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) await setImmediate();
}
