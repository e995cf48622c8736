import { readFileSync } from 'node:fs';
import { type ChangedProducts, readChangedProducts } from './read-changed-products.js';

/**
 * Reads what changed from the environment of this build, and warns if it contains invalid ids.
 * @param warn called at most once.
 */
export function readBuildChanges(warn: (message: string) => void): ChangedProducts {
	return readChangedProducts(
		process.env,
		(path) => readFileSync(path, 'utf8'),
		(count) => {
			const ids = count === 1 ? 'one product id' : `${count.toLocaleString('en')} product ids`;
			warn(
				`What started this build names ${ids} that cannot be used, so all reviews may have changed and are requested again.`,
			);
		},
	);
}
