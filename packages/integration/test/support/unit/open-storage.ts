import type { Driver } from 'unstorage';
import { SharedStorage } from '../../../src/shared-storage/shared-storage.js';

/** A shared storage for drivers that take real time: the machine of the tests may be busy. */
export function openStorage(driver: Driver, warn: (message: string) => void): SharedStorage {
	return new SharedStorage({ open: () => driver, account: 'a-1', patience: 10_000, warn });
}
