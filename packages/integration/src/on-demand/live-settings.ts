import { pacingOf } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { driverConfig, type StorageOptions } from '../options/storage.js';

/**
 * Settings in the server's bundle. They do not include the token, which is only in the environment of the server. Durations
 * are in milliseconds.
 */
export interface LiveSettings {
	/** Left out if it is in the environment of the server. */
	readonly baseUrl?: string | undefined;
	/** Left out if it is in the environment of the server. */
	readonly wsid?: string | undefined;
	readonly pacing: ReturnType<typeof pacingOf>;
	/** How old reviews may be that are shown when the service fails. */
	readonly maxStale: number;
	readonly onDemand: ProductReviewsOptions['onDemand'];
	/** Left out without the option `storage`. */
	readonly storage?: { readonly config: StorageOptions['config'] } | undefined;
}

export function toLiveSettings(options: ProductReviewsOptions): LiveSettings {
	return {
		baseUrl: options.baseUrl?.trim() || undefined,
		wsid: options.wsid?.trim() || undefined,
		pacing: pacingOf(options),
		maxStale: options.maxStale,
		onDemand: options.onDemand,
		storage: options.storage && { config: driverConfig(options.storage) },
	};
}
