import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCache } from '../project/manifest.js';
import { type GivenProducts, runUpdate, type UpdateResult } from './update.js';

export type { FailedProduct, PageToRebuild, UpdateResult } from './update.js';

/** Products to update, and the project and files to update them in. */
export interface UpdateReviewsOptions {
	/** Products that may have changed; `'marked'`: those that are marked in the cache; `'all'`: all that pages show. */
	readonly pids: GivenProducts;
	/** Folder of the Astro project. @default the working directory */
	readonly root?: string | URL | undefined;
	/** Astro's `outDir` of the build to update, relative to the root. @default that of the newest build */
	readonly outDir?: string | undefined;
	/** The cache's file. @default the one that the build used */
	readonly cacheFile?: string | URL | undefined;
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
	const { pids, outDir, onWarning = () => {} } = options;
	const { result } = await runUpdate(pids, {
		...locate(options, onWarning),
		outDir,
		isDryRun: false,
		warn: onWarning,
	});
	return result;
}

function locate({ root, outDir, cacheFile }: UpdateReviewsOptions, warn: (message: string) => void) {
	// A file that is given may be that of any project.
	if (cacheFile !== undefined) {
		return { cacheFile: pathOf(cacheFile), root: root === undefined ? undefined : pathOf(root) };
	}
	const project = pathOf(root ?? '.');
	const { file, notice } = findCache(project, outDir);
	if (notice !== undefined) warn(notice);
	return { cacheFile: file, root: project };
}

function pathOf(given: string | URL): string {
	return given instanceof URL ? fileURLToPath(given) : resolve(given);
}
