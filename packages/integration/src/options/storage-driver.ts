import { fileURLToPath } from 'node:url';
import { builtinDrivers } from 'unstorage';
import type { StorageOptions } from './storage.js';

/** Where a driver's code is, and its configuration. */
export interface StorageDriver {
	/** A file, or a module to resolve from this package. */
	readonly entrypoint: string;
	readonly config: StorageOptions['config'];
}

/** Resolves a driver as Astro resolves those of sessions: `'fs'` is the driver without file watching. */
export function storageDriver({ driver, config }: StorageOptions): StorageDriver {
	if (driver instanceof URL) {
		return { entrypoint: driver.protocol === 'file:' ? fileURLToPath(driver) : driver.href, config };
	}
	if (FS.has(driver)) return { entrypoint: builtinDrivers.fsLite, config: { base: FS_FOLDER, ...config } };
	const builtin = Object.hasOwn(builtinDrivers, driver)
		? builtinDrivers[driver as keyof typeof builtinDrivers]
		: undefined;
	return { entrypoint: builtin ?? driver, config };
}

const FS = new Set(['fs', 'fs-lite', 'fsLite']);

/** Where `'fs'` keeps its files by default, relative to the working directory of the process. */
const FS_FOLDER = '.astro/product-reviews';
