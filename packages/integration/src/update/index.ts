import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../cache/open-database.js';
import { CACHE_FILE } from '../constants.js';
import { type GivenProducts, runUpdate } from './update.js';
import type { UpdateResult } from './update-products.js';

export type { FailedProduct, PageToRebuild, UpdateResult } from './update-products.js';

/** What to update, and where. */
export interface UpdateReviewsOptions {
	/** Products that may have changed; `'marked'`: those that are marked in the cache; `'all'`: all that pages show. */
	readonly pids: GivenProducts;
	/** The cache's file. @default `reviews-v7.db` in the cache's folder of the project */
	readonly cacheFile?: string | URL | undefined;
	/** Folder of the Astro project. @default the working directory */
	readonly root?: string | undefined;
	/** The option `cacheDir` of the integration, relative to the root. */
	readonly cacheDir?: string | undefined;
	/** Called with what should be known, such as that another build or update is waited for. @default nothing is said */
	readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Brings new reviews into the pages of the last build, as the command `astro-product-reviews update` does. `REVIEWS_TOKEN`, and `REVIEWS_STORAGE_CONFIG` for the option `storage`, are read from the environment
 * of this process, or from the project's `.env`.
 *
 * @returns the files that were replaced, the pages that need a rebuild, and the products for which the service failed.
 * @throws Error if another process holds the output folder for 10 minutes, or if the cache or a file cannot be used.
 * @example
 * const { files, rebuild, failed } = await updateReviews({ root: '/srv/shop', pids: ['p-1'] });
 */
export async function updateReviews(options: UpdateReviewsOptions): Promise<UpdateResult> {
	const { pids, onWarning = () => {} } = options;
	const { result } = await runUpdate(pids, {
		cacheFile: locate(options),
		root: options.cacheFile === undefined ? (options.root ?? '.') : options.root,
		isDryRun: false,
		warn: onWarning,
		onWait: () => onWarning('Waiting for another build or update to finish with the output folder.'),
		onProgress: () => {},
	});
	return result;
}

function locate({ cacheFile, root = '.', cacheDir }: UpdateReviewsOptions): string {
	if (cacheFile === undefined) return join(cacheFolder(resolve(root), cacheDir), CACHE_FILE);
	return cacheFile instanceof URL ? fileURLToPath(cacheFile) : resolve(cacheFile);
}
