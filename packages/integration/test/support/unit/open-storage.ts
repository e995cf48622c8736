import type { Driver } from 'unstorage';
import { openSharedStorage } from '../../../src/shared-storage/open-shared-storage.js';
import type { SharedStorage } from '../../../src/shared-storage/shared-storage.js';

/** A shared storage with the clocks of this machine, for drivers that take real time. @param patience in milliseconds */
export function openStorage(
	driver: Driver,
	options: { readonly warn: (message: string) => void; readonly patience?: number },
): SharedStorage {
	return openSharedStorage({
		open: () => driver,
		account: 'a-1',
		now: Date.now,
		monotonicNow: () => performance.now(),
		schedule(callback, milliseconds) {
			const timer = setTimeout(callback, milliseconds);
			return () => clearTimeout(timer);
		},
		...options,
	});
}
