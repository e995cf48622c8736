import { quietly } from '../quietly.js';
import type { ChangeLog } from './change-log.js';
import type { CollectorOptions } from './collector-options.js';

/** Returns a function that reads what is waiting, and says if anything of it was damaged. */
export function createLogReader({
	log,
	onLog: given,
}: Pick<CollectorOptions, 'log' | 'onLog'>): ChangeLog['waiting'] {
	const onLog = quietly(given);
	return async () => {
		const waiting = await log.waiting();
		const damage = log.damage?.();
		if (damage !== undefined) onLog(damage);
		return waiting;
	};
}
