import { ENVIRONMENT } from '../constants.js';
import { accountOf } from '../options/account.js';
import { readStorageConfig } from '../options/storage-config.js';
import type { SharedStorage } from '../shared-storage/shared-storage.js';
import type { StorageContext } from '../shared-storage/storage-context.js';
import type { LiveEnvironment } from './live-environment.js';
import type { LiveSettings } from './live-settings.js';

type Context = Pick<LiveEnvironment, 'getSecret' | 'storage'> & Omit<StorageContext, 'account' | 'open'>;

/**
 * The shared storage of a server; `undefined` without the option `storage`. It is opened when the first page asks: before
 * that, the environment may not be there.
 */
export function createLiveStorage(settings: LiveSettings, context: Context): SharedStorage | undefined {
	const { getSecret, storage: modules } = context;
	if (!settings.storage || !modules) return undefined;
	const { config } = settings.storage;
	let opened: SharedStorage | undefined;
	const open = (): SharedStorage => {
		const baseUrl = settings.baseUrl ?? getSecret(ENVIRONMENT.baseUrl)?.trim();
		const wsid = settings.wsid ?? getSecret(ENVIRONMENT.wsid)?.trim();
		// Without them, no page gets an answer that could be shared.
		if (!baseUrl || !wsid) return NO_STORAGE;
		opened = modules.openSharedStorage({
			...context,
			account: accountOf(baseUrl, wsid),
			open: () =>
				modules.createDriver({ ...config, ...readStorageConfig(getSecret(ENVIRONMENT.storageConfig)) }),
		});
		return opened;
	};
	const storage = () => opened ?? open();
	return {
		read: (kind, pids) => storage().read(kind, pids),
		write: (entries) => storage().write(entries),
		outdate: (pids) => storage().outdate(pids),
		poll: () => storage().poll(),
		lock: (...args) => storage().lock(...args),
		now: () => storage().now(),
		close: () => storage().close(),
	};
}

const NO_STORAGE: SharedStorage = {
	read: async () => new Map(),
	write: async () => false,
	outdate: async () => false,
	poll: async () => [],
	lock: async () => async () => {},
	now: Date.now,
	close: async () => {},
};
