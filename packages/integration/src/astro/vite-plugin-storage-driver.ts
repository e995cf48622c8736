import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { INTEGRATION_NAME, STORAGE_DRIVER_ID } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { StorageOptions } from '../options/storage.js';

const RESOLVED = `\0${STORAGE_DRIVER_ID}`;

/** Bundles the driver of the option `storage` into the server, as Astro does with that of sessions. */
export function vitePluginStorageDriver(storage: StorageOptions): Plugin {
	return {
		name: `${INTEGRATION_NAME}:storage-driver`,
		resolveId: {
			filter: { id: new RegExp(`^${STORAGE_DRIVER_ID}$`) },
			handler: () => RESOLVED,
		},
		load: {
			filter: { id: new RegExp(`^${RESOLVED}$`) },
			async handler() {
				// Loaded only now: most sites have no storage.
				const { storageDriver } = await import('../options/storage-driver.js');
				const { entrypoint } = storageDriver(storage);
				// From here, since `unstorage` may not be a dependency of the project; otherwise from the project.
				const here = fileURLToPath(import.meta.url);
				const found = (await this.resolve(entrypoint, here)) ?? (await this.resolve(entrypoint));
				if (!found) throw unknownDriver(entrypoint);
				return `export { default } from ${JSON.stringify(found.id)};`;
			},
		},
	};
}

function unknownDriver(entrypoint: string): ProductReviewsConfigurationError {
	return new ProductReviewsConfigurationError(
		'PR_STORAGE_DRIVER',
		`The driver "${entrypoint}" of the option "storage" cannot be found.`,
		'Use the name of a driver of unstorage, such as "redis", or install the package that contains the driver.',
	);
}
