import { readFileSync } from 'node:fs';
import { type ChangedProducts, readChangedProducts } from './read-changed-products.js';
import type { Logger } from './run-context.js';

/**
 * Reads what changed from the environment of this build, and warns if it contains invalid ids.
 * @param logger called at most once.
 */
export function readBuildChanges(logger: Pick<Logger, 'warn'>): ChangedProducts {
	return readChangedProducts(
		process.env,
		(path) => readFileSync(path, 'utf8'),
		(count) => {
			const ids = count === 1 ? 'one product id' : `${count.toLocaleString('en')} product ids`;
			logger.warn(
				`What started this build names ${ids} that cannot be used, so all reviews may have changed and are requested again.`,
			);
		},
	);
}
