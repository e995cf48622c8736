import { fileURLToPath } from 'node:url';
import type { Driver } from 'unstorage';
import { within } from '../base/async.js';
import { count } from '../base/words.js';
import type { ProductStore } from '../cache/product-store.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { readStorageConfig } from '../options/connection.js';
import type { FetchOptions } from '../options/schema.js';
import type { StorageOptions } from '../options/storage.js';
import { importDefault, type SiteConnection, type Unusable } from '../providers/load-provider.js';
import type { Part } from '../records/parts.js';
import { SharedAnswers, type SharedPart } from '../reviews/shared-answers.js';
import type { SharedStorage } from '../reviews/shared-storage.js';
import type { ChangedProducts } from './changed-products.js';
import type { Logger } from './log-lines.js';

/** Longest time that a build waits for the storage, in milliseconds. */
const PATIENCE = 1_000;

/** Longest time that the end of a build waits for what is still to be written, in milliseconds. */
const END_PATIENCE = 5_000;

/** Longest time that closing the connection may take, in milliseconds. */
const CLOSE_PATIENCE = 500;

/** Ids to choose from. More would delay the first one of a list that is slow to read. */
const MAX_WAITING = 1_000;

/** The option `storage`, with the variable that completes its configuration, and the project's folder. */
export interface StorageContext {
	readonly options: StorageOptions;
	readonly environment: string | undefined;
	readonly root: string;
}

interface SharingContext {
	readonly storage?: StorageContext | undefined;
	readonly connection: Pick<SiteConnection, 'account'>;
	readonly options: Pick<FetchOptions, 'concurrency'>;
	readonly logger: Logger;
}

export async function shareWithOthers(context: SharingContext): Promise<BuildSharing | undefined> {
	const { storage: given, connection, logger } = context;
	if (!given) return undefined;
	const { SharedStorage } = await import('../reviews/shared-storage.js');
	const { entrypoint, config } = await storageDriver(given.options);
	const createDriver = await importDriver(entrypoint, given.root);
	const storage = new SharedStorage({
		open: () => createDriver({ ...config, ...readStorageConfig(given.environment) }),
		account: connection.account,
		patience: PATIENCE,
		warn: (message) => logger.warn(message),
	});
	return createSharing(storage, context);
}

export type BuildSharing = ReturnType<typeof createSharing>;

function createSharing(storage: SharedStorage, { options, logger }: SharingContext) {
	const parts: Pick<SharedAnswers, 'flush'>[] = [];
	const counts = { read: 0, written: 0, unwritten: 0 };
	let isBroadcast = true;
	let closed: Promise<void> | undefined;
	/** Closes the connection, without a word on what it was used for. Closing it again does nothing. */
	const close = () => (closed ??= within(storage.close(), CLOSE_PATIENCE, () => undefined).catch(() => {}));
	return {
		/** Number of products that are looked up ahead. Each of them is looked up just before its request. */
		lookahead: options.concurrency,
		sharingOf<Of extends Part>(part: SharedPart<Of>): SharedAnswers<Of> {
			const sharing = new SharedAnswers(part, () => storage, counts);
			parts.push(sharing);
			return sharing;
		},
		/** The products of a list in random order, so that two builders rarely request the same product at the same time. */
		async *order(list: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
			const waiting: string[] = [];
			const takeOne = () => waiting.splice(Math.floor(Math.random() * waiting.length), 1);
			for await (const pid of list) {
				waiting.push(pid);
				if (waiting.length > MAX_WAITING) yield* takeOne();
			}
			while (waiting.length > 0) yield* takeOne();
		},
		/** Tells others that products changed; all of them if `pids` is `undefined`. */
		async invalidate(pids: readonly string[] | undefined): Promise<void> {
			if (pids?.length !== 0) isBroadcast = await storage.invalidate(pids);
		},
		close,
		/**
		 * Waits until what was fetched is written, for a bounded time, and says what became of it. Call before the cache is
		 * closed.
		 */
		async end(): Promise<void> {
			const writing = Promise.all(parts.map((part) => part.flush()));
			await within(writing, END_PATIENCE, () => undefined);
			// It may work again.
			if (!isBroadcast) isBroadcast = await storage.invalidate([]);
			await close();
			const { read, written, unwritten } = counts;
			if (read + written > 0) {
				logger.info(`Shared storage: ${count(read, 'response')} read, ${count(written, 'response')} written`);
			}
			if (unwritten > 0) {
				logger.warn(
					`The shared storage did not take ${count(unwritten, 'response')} in time. Other builds request them again. [PR_STORAGE_FAILED]`,
				);
			}
			if (!isBroadcast) {
				logger.warn(
					'Other builds and servers do not know which products changed, since the shared storage failed. They may show old reviews until these expire. [PR_STORAGE_FAILED]',
				);
			}
		},
	};
}

/**
 * Tells other builders and servers what changed: the products that whatever started this process named, and those that are
 * marked in the cache and were not fetched since.
 */
export function broadcastChanges(
	shared: Pick<BuildSharing, 'invalidate'>,
	store: Pick<ProductStore, 'unfetched'>,
	{ pids, all }: ChangedProducts,
): Promise<void> {
	return shared.invalidate(all ? undefined : [...new Set([...pids, ...store.unfetched()])]);
}

type CreateDriver = (config: Readonly<Record<string, unknown>>) => Driver;

/** Imports a driver from this package, since `unstorage` may not be a dependency of the project; otherwise from the project. */
export async function importDriver(entrypoint: string, root: string): Promise<CreateDriver> {
	const unusable: Unusable = (problem, { advice = WHICH_DRIVER, cause } = {}) =>
		new ProductReviewsConfigurationError(
			'PR_STORAGE_DRIVER',
			`The driver "${entrypoint}" of the option "storage" ${problem}`,
			advice,
			{ cause },
		);
	const driver = await importDefault(entrypoint, root, unusable);
	if (typeof driver === 'function') return driver as CreateDriver;
	throw unusable('does not export a driver by default.');
}

const WHICH_DRIVER =
	'Use the name of a driver of unstorage, such as "redis", and install the packages that the driver needs.';

/** Resolves a driver as Astro resolves those of sessions: `'fs'` is the driver without file watching. */
export async function storageDriver(
	storage: StorageOptions,
): Promise<{ readonly entrypoint: string; readonly config: StorageOptions['config'] }> {
	return { entrypoint: await entrypointOf(storage), config: driverConfig(storage) };
}

async function entrypointOf({ driver }: StorageOptions): Promise<string> {
	if (driver instanceof URL) return driver.protocol === 'file:' ? fileURLToPath(driver) : driver.href;
	// Loaded only now: most sites have no storage.
	const { builtinDrivers } = await import('unstorage');
	if (isFileDriver(driver)) return builtinDrivers.fsLite;
	return new Map<string, string>(Object.entries(builtinDrivers)).get(driver) ?? driver;
}

export function driverConfig({ driver, config }: StorageOptions): StorageOptions['config'] {
	return isFileDriver(driver) ? { base: FS_FOLDER, ...config } : config;
}

function isFileDriver(driver: StorageOptions['driver']): boolean {
	return typeof driver === 'string' && FS.has(driver);
}

const FS = new Set(['fs', 'fs-lite', 'fsLite']);

/** Default folder of `'fs'`, relative to the working directory of the process. */
const FS_FOLDER = '.astro/product-reviews';
