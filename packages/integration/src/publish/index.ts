import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STORE_FILE } from '../constants.js';
import { storeFolder } from '../store/open-database.js';
import type { GivenProducts } from './publish.js';
import { type Published, runPublish } from './run-publish.js';

export type { FailedProduct, PageToRebuild, Published } from './run-publish.js';

/** What to publish, and where. */
export interface PublishReviewsOptions {
	/** Products that may have changed; `'marked'`: those that are marked in the store; `'all'`: all that pages show. */
	readonly pids: GivenProducts;
	/** The store's file. @default `reviews-v7.db` in the store's folder of the project */
	readonly storeFile?: string | URL | undefined;
	/** Folder of the Astro project. @default the working directory */
	readonly root?: string | undefined;
	/** The option `cacheDir` of the integration, relative to the root. */
	readonly cacheDir?: string | undefined;
	/** Called with what should be known, such as that another build or publish is waited for. @default nothing is said */
	readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Brings new reviews into the pages of the last build, as the command `astro-product-reviews publish` does. The build needs the
 * option `publish: true`. `REVIEWS_TOKEN`, and `REVIEWS_STORAGE_CONFIG` for the option `storage`, are read from the environment
 * of this process, or from the project's `.env`.
 *
 * @returns the files that were replaced, the pages that need a rebuild, and the products for which the service failed.
 * @throws Error if another process holds the output folder for 10 minutes, or if the store or a file cannot be used.
 * @example
 * const { files, rebuild, failed } = await publishReviews({ root: '/srv/shop', pids: ['p-1'] });
 */
export async function publishReviews(options: PublishReviewsOptions): Promise<Published> {
	const { pids, onWarning = () => {} } = options;
	const { published } = await runPublish(pids, {
		storeFile: locate(options),
		root: options.storeFile === undefined ? (options.root ?? '.') : options.root,
		isDryRun: false,
		warn: onWarning,
		onWait: () => onWarning('Waiting for another build or publish to finish with the output folder.'),
		onProgress: () => {},
	});
	return published;
}

function locate({ storeFile, root = '.', cacheDir }: PublishReviewsOptions): string {
	if (storeFile === undefined) return join(storeFolder(resolve(root), cacheDir), STORE_FILE);
	return storeFile instanceof URL ? fileURLToPath(storeFile) : resolve(storeFile);
}
