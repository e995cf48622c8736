import type { StorageContext } from '../build/run-context.js';
import { ENVIRONMENT } from '../constants.js';
import type { ProductReviewsOptions } from '../options/schema.js';

/** The storage that builds of a project share; `undefined` without the option `storage`. @param root folder of the project. */
export function storageContextOf(
	{ storage }: Pick<ProductReviewsOptions, 'storage'>,
	environment: Readonly<Record<string, string | undefined>>,
	root: string,
): StorageContext | undefined {
	return storage && { options: storage, environment: environment[ENVIRONMENT.storageConfig], root };
}
