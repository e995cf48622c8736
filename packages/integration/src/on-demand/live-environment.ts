import type { Driver } from 'unstorage';
import type { SharedStorage } from '../shared-storage/shared-storage.js';
import type { StorageContext } from '../shared-storage/storage-context.js';

/** The code of the option `storage`, which only servers with that option contain. */
interface StorageModules {
	readonly openSharedStorage: (context: StorageContext) => SharedStorage;
	/** @throws Error if its configuration lacks something. */
	readonly createDriver: (config: Readonly<Record<string, unknown>>) => Driver;
}

/** External dependencies of a live source. */
export interface LiveEnvironment {
	/** A variable of the server's environment. */
	readonly getSecret: (name: string) => string | undefined;
	/** @default answers are not shared */
	readonly storage?: StorageModules | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: () => number;
	/** Monotonic clock, in milliseconds. @default `now` if that is given, otherwise performance.now */
	readonly monotonicNow?: () => number;
	/** Calls back after a delay. @returns a function that cancels it. @default a timer */
	readonly schedule?: (callback: () => void, milliseconds: number) => () => void;
	/** @default console.warn */
	readonly warn?: (message: string) => void;
}
