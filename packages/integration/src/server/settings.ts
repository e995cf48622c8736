import type { Driver } from 'unstorage';
import { throttleOf } from '../options/connection.js';
import type { ReviewProvider } from '../options/provider.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { driverConfig, type StorageOptions } from '../options/storage.js';
import type { SharedStorage } from '../reviews/shared-storage.js';

/**
 * Settings in the server's bundle. They do not include the token, which is only in the environment of the server, and address
 * and website ID only if they are not there. Durations are in milliseconds.
 */
export interface LiveSettings {
	readonly baseUrl: ProductReviewsOptions['baseUrl'];
	readonly wsid: string | undefined;
	/** The account of a provider. That of the hosted service is known where the server runs. */
	readonly account?: string | undefined;
	readonly throttle: ReturnType<typeof throttleOf>;
	readonly staleIfError: number;
	readonly onDemand: ProductReviewsOptions['onDemand'];
	readonly storage: { readonly config: StorageOptions['config'] } | undefined;
}

export function toLiveSettings(options: ProductReviewsOptions, account?: string): LiveSettings {
	return {
		baseUrl: options.baseUrl,
		wsid: options.wsid?.trim() || undefined,
		account: options.provider && account,
		throttle: throttleOf(options),
		staleIfError: options.staleIfError,
		onDemand: options.onDemand,
		storage: options.storage && { config: driverConfig(options.storage) },
	};
}

export interface LiveEnvironment {
	readonly getSecret: (name: string) => string | undefined;
	/** The code of the option `storage`, which only servers with that option contain. @default answers are not shared */
	readonly storage?:
		| {
				readonly SharedStorage: typeof SharedStorage;
				/** @throws Error if its configuration lacks something. */
				readonly createDriver: (config: Readonly<Record<string, unknown>>) => Driver;
		  }
		| undefined;
	/** The module of the option `provider`. @default the hosted service */
	readonly provider?: ReviewProvider | undefined;
	readonly fetch?: typeof globalThis.fetch | undefined;
	readonly warn?: (message: string) => void;
}
