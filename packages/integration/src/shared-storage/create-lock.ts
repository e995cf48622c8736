import type { Runner } from './create-runner.js';
import { LOCK_TIME, type SharedStorage } from './shared-storage.js';
import type { StorageContext } from './storage-context.js';
import type { StorageKeys } from './storage-keys.js';

/** Locks are released at the end of a request; those of an instance that died end by themselves. */
export function createLock(
	{ read, write }: Pick<Runner, 'read' | 'write'>,
	keys: Pick<StorageKeys, 'lock'>,
	{ monotonicNow }: Pick<StorageContext, 'monotonicNow'>,
): SharedStorage['lock'] {
	return async (kind, pid, time = LOCK_TIME) => {
		const key = keys.lock(kind, pid);
		const lockedAt = monotonicNow();
		const isSet = await read(async ({ setIfAbsent }) => (await setIfAbsent(key, time)) ?? 'unsupported');
		if (isSet === false) return 'taken';
		return async () => {
			// After that time, the lock may be that of another instance.
			if (isSet === true && monotonicNow() - lockedAt < time) {
				await write((driver) => driver.remove(key));
			}
		};
	};
}
