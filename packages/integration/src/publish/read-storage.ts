import type { Output } from '../build/output.js';
import type { StorageContext } from '../build/run-context.js';
import { ENVIRONMENT } from '../constants.js';
import { readStorageConfig } from '../options/storage-config.js';
import { readEnvironmentFiles } from './read-connection.js';

/** Where the storage of the last build is configured. */
export interface StorageSources {
	/** Root of the project, absolute. */
	readonly root: string;
	/** Folder of the `.env` files, absolute; `false` if there are none. */
	readonly envFolder: string | false;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly warn: (message: string) => void;
}

/**
 * The shared storage of the last build, with the secrets that are set now; `undefined` without the option `storage`, or if its
 * configuration is incomplete.
 */
export function readStorage(
	{ storage, mode }: Pick<Output, 'storage' | 'mode'>,
	{ root, envFolder, environment, warn }: StorageSources,
): StorageContext | undefined {
	if (!storage) return undefined;
	const files = envFolder === false ? {} : readEnvironmentFiles(envFolder, mode);
	const config = environment[ENVIRONMENT.storageConfig] ?? files[ENVIRONMENT.storageConfig];
	const given = namesIn(config);
	const missing = storage.omitted.filter((name) => !given.includes(name));
	if (missing.length === 0) return { options: storage, environment: config, root };
	warn(
		`The shared storage is not used: ${missing.map((name) => `"${name}"`).join(', ')} of "storage.config" may be secret, so the store does not keep it. Set ${ENVIRONMENT.storageConfig}. [PR_STORAGE_FAILED]`,
	);
	return undefined;
}

/** Names of the options in the environment variable. What is wrong with it is said where the storage is used. */
function namesIn(config: string | undefined): readonly string[] {
	try {
		return Object.keys(readStorageConfig(config));
	} catch {
		return [];
	}
}
