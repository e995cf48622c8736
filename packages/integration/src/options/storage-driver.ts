import { fileURLToPath } from 'node:url';
import { builtinDrivers } from 'unstorage';
import { isFileDriver, type StorageOptions } from './storage.js';

/**
 * A file, or a module to resolve from this package, with a driver's code. Drivers are found as Astro finds those of sessions:
 * `'fs'` is the driver without file watching.
 */
export function driverEntrypoint({ driver }: Pick<StorageOptions, 'driver'>): string {
	if (driver instanceof URL) return driver.protocol === 'file:' ? fileURLToPath(driver) : driver.href;
	if (isFileDriver(driver)) return builtinDrivers.fsLite;
	const builtin = Object.hasOwn(builtinDrivers, driver)
		? builtinDrivers[driver as keyof typeof builtinDrivers]
		: undefined;
	return builtin ?? driver;
}
