import { fileURLToPath } from 'node:url';
import { builtinDrivers } from 'unstorage';
import { driverConfig, isFileDriver, type StorageOptions } from './storage.js';

/** Resolves a driver as Astro resolves those of sessions: `'fs'` is the driver without file watching. */
export function storageDriver(storage: StorageOptions) {
	return { entrypoint: entrypointOf(storage), config: driverConfig(storage) };
}

function entrypointOf({ driver }: StorageOptions): string {
	if (driver instanceof URL) return driver.protocol === 'file:' ? fileURLToPath(driver) : driver.href;
	if (isFileDriver(driver)) return builtinDrivers.fsLite;
	return new Map<string, string>(Object.entries(builtinDrivers)).get(driver) ?? driver;
}
