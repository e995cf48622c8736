import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Driver } from 'unstorage';
import type { BuildStorage } from '../cache/build-storage.js';
import { createStoreSharing } from '../cache/store-sharing.js';
import { createWriteBack, type WriteBack } from '../cache/write-back.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { Connection } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { readStorageConfig } from '../options/storage-config.js';
import { storageDriver } from '../options/storage-driver.js';
import { canReadMany, canSetIfAbsent } from '../shared-storage/open-driver.js';
import { openSharedStorage } from '../shared-storage/open-shared-storage.js';
import type { SharedStorage } from '../shared-storage/shared-storage.js';
import { count } from '../text/words.js';
import { keepAlive, type Logger, type StorageContext } from './run-context.js';
import { planSharedWork, type SharedWork } from './shared.js';

/** The storage that a build shares with other builders and servers. */
export interface OpenBuildStorage extends BuildStorage, SharedWork, Telling {
	/** Waits until what was fetched is written, for a bounded time. Call before the store is closed. */
	flush(): Promise<void>;
	/** The same, and closes the storage. */
	end(): Promise<void>;
}

/** What opening the storage needs besides its options. */
export interface OpenStorageContext {
	readonly connection: Pick<Connection, 'account'>;
	readonly options: Pick<ProductReviewsOptions, 'concurrency'>;
	readonly logger: Logger;
}

/** How long to wait for a batch, or for each answer if every key is requested on its own, in milliseconds. */
const PATIENCE = 5_000;
/** How long the end of a build waits for what is still to be written, in milliseconds. */
const END_PATIENCE = 5_000;
/** How long closing the connection may take, in milliseconds. */
const CLOSE_PATIENCE = 500;

/**
 * Opens the storage. There is no connection before it is first used.
 * @throws ProductReviewsConfigurationError if the driver cannot be loaded.
 */
export async function openBuildStorage(
	{ options, environment, root }: StorageContext,
	{ connection, options: { concurrency }, logger }: OpenStorageContext,
): Promise<OpenBuildStorage> {
	const { entrypoint, config } = storageDriver(options);
	const createDriver = await importDriver(entrypoint, root);
	const driver = createOnce(() => createDriver({ ...config, ...readStorageConfig(environment) }));
	const warn = (message: string) => logger.warn(message);
	const opened = openSharedStorage({
		open: driver,
		account: connection.account,
		now: Date.now,
		monotonicNow,
		schedule,
		warn,
		patience: PATIENCE,
		waitsForEach: true,
	});
	const polled = {
		...opened,
		// Polls keep the clocks of all instances together. Without them, an old answer of a clock that is ahead looks new.
		async read(...args: Parameters<typeof opened.read>) {
			await opened.poll();
			return opened.read(...args);
		},
	} as typeof opened;
	const storage = boundStorage(polled, monotonicNow, () => warn(TOO_SLOW));
	const telling = createTelling(opened);
	const writeBack = createWriteBack({ storage, monotonicNow, pause });
	let adopted = 0;
	const onAdopted = (more: number) => {
		adopted += more;
	};
	const work = planSharedWork(abilitiesOf(driver), concurrency);
	const flush = () => keepAlive(writeBack.flush(END_PATIENCE));
	const context = { storage, writeBack, slots: work.slots, monotonicNow, pause, onAdopted };
	return {
		...work,
		sharingOf: (part) => createStoreSharing({ ...context, ...part }),
		...telling,
		flush,
		async end() {
			await flush();
			const isTold = await keepAlive(telling.told());
			await keepAlive(Promise.race([opened.close().catch(() => {}), pause(CLOSE_PATIENCE)]));
			describe(adopted, writeBack, logger);
			if (!isTold) warn(NOT_TOLD);
		},
	};
}

const TOO_SLOW =
	'The shared storage is too slow, so this build continues without it: its operations took more than a second. [PR_STORAGE_FAILED]';

const NOT_TOLD =
	'The shared storage did not take which products changed. Other builds and servers use what they have of them until it is too old. [PR_STORAGE_FAILED]';

function describe(
	adopted: number,
	{ written, unwritten }: Pick<WriteBack, 'written' | 'unwritten'>,
	logger: Logger,
): void {
	if (adopted + written > 0) {
		logger.info(`Shared storage: ${count(adopted, 'answer')} read, ${count(written, 'answer')} written`);
	}
	if (unwritten > 0) {
		logger.warn(
			`The shared storage did not take ${count(unwritten, 'answer')} in time. Other builds ask the service for them again. [PR_STORAGE_FAILED]`,
		);
	}
}

/** Drivers throw if an option is missing. A build does not fail because of that, so it is thrown where the storage is used. */
function createOnce(create: () => Driver): () => Driver {
	let made: { readonly driver: Driver } | { readonly error: unknown };
	try {
		made = { driver: create() };
	} catch (error) {
		made = { error };
	}
	return () => {
		if ('error' in made) throw made.error;
		return made.driver;
	};
}

function abilitiesOf(open: () => Driver) {
	try {
		const driver = open();
		return { canLock: canSetIfAbsent(driver), canReadMany: canReadMany(driver) };
	} catch {
		return { canLock: false, canReadMany: false };
	}
}

function monotonicNow(): number {
	return performance.now();
}

/** How many steps a delay has. */
const STEPS = 20;

/**
 * Calls back after a delay, in steps: while Astro keeps this thread busy, answers arrive without being read, and must not
 * count as late. However long the thread was busy, that is one step, and a request over HTTP needs several turns.
 */
function schedule(callback: () => void, milliseconds: number): () => void {
	let steps = 0;
	const step = (): NodeJS.Timeout =>
		setTimeout(() => {
			steps += 1;
			if (steps === STEPS) callback();
			else timer = step();
		}, milliseconds / STEPS).unref();
	let timer = step();
	return () => clearTimeout(timer);
}

function pause(milliseconds: number): Promise<void> {
	return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
}

/** Tells other builders and servers which products changed, in the background. */
interface Telling {
	/** @param pids `undefined` for all products. */
	outdate(pids: readonly string[] | undefined): void;
	/** Waits until the storage has everything. @returns `false` if it fails */
	told(): Promise<boolean>;
}

function createTelling(storage: Pick<SharedStorage, 'outdate'>): Telling {
	// Each call stores what is still waiting as well, so only the last one counts.
	let last: Promise<boolean> | undefined;
	return {
		outdate(pids) {
			if (pids?.length !== 0) last = storage.outdate(pids);
		},
		async told() {
			if (!last || (await last)) return true;
			// The storage may work again.
			return storage.outdate([]);
		},
	};
}

/** From this duration on, an operation counts as slow, in milliseconds. */
const SLOW = 1_000;

/** How much longer reading may take for each product, in milliseconds: about as long as the service takes. */
const SLOW_PER_PRODUCT = 20;

/** How many seconds with slow operations a build puts up with. */
const MOST_SLOW = 10;

/** What builds use of the storage. */
type Bounded = Pick<SharedStorage, 'read' | 'write' | 'lock' | 'now'>;

/**
 * Limits what a slow storage costs a build. One that fails is given up for a second by itself; one that answers, but each
 * time just before that, would delay every product.
 * @param onGivenUp called when the storage is no longer used.
 */
export function boundStorage(storage: Bounded, monotonicNow: () => number, onGivenUp: () => void): Bounded {
	let slow = 0;
	let countedAt = Number.NEGATIVE_INFINITY;
	const isGivenUp = () => slow >= MOST_SLOW;

	async function timed<Result>(operation: () => Promise<Result>, extra = 0): Promise<Result> {
		const startedAt = monotonicNow();
		const result = await operation();
		const endedAt = monotonicNow();
		// Operations that are slow at the same time cost as much as one.
		if (endedAt - startedAt < SLOW + extra || endedAt - countedAt < SLOW || isGivenUp()) return result;
		countedAt = endedAt;
		slow += 1;
		if (isGivenUp()) onGivenUp();
		return result;
	}

	return {
		read: async (kind, pids) =>
			isGivenUp() ? new Map() : timed(() => storage.read(kind, pids), SLOW_PER_PRODUCT * pids.length),
		write: async (entries) => !isGivenUp() && storage.write(entries),
		lock: async (...args) => (isGivenUp() ? async () => {} : timed(() => storage.lock(...args))),
		now: storage.now,
	};
}

/** Creates a driver with its options. */
type CreateDriver = (config: Readonly<Record<string, unknown>>) => Driver;

/**
 * Imports a driver from this package, since `unstorage` may not be a dependency of the project; otherwise from the project.
 * @param root folder of the project.
 * @throws ProductReviewsConfigurationError if there is no such driver.
 */
export async function importDriver(entrypoint: string, root: string): Promise<CreateDriver> {
	// Node would run what is in a `data:` address.
	if (/^(?!file:)[a-z][a-z\d+.-]+:/i.test(entrypoint)) throw unusable(entrypoint, 'is an address.');
	const found = isAbsolute(entrypoint) ? pathToFileURL(entrypoint).href : entrypoint;
	let module: { readonly default?: unknown };
	try {
		module = await import(found).catch((error) => importFromProject(found, root, error));
	} catch (cause) {
		throw unusable(entrypoint, `cannot be loaded: ${firstLineOf(cause)}`, cause);
	}
	if (typeof module.default === 'function') return module.default as CreateDriver;
	throw unusable(entrypoint, 'does not export a driver by default.');
}

async function importFromProject(entrypoint: string, root: string, error: unknown): Promise<never> {
	if (!/^[@\w]/.test(entrypoint) || entrypoint.startsWith('file:')) throw error;
	let path: string;
	try {
		path = createRequire(join(root, 'package.json')).resolve(entrypoint);
	} catch {
		throw error;
	}
	return import(pathToFileURL(path).href) as Promise<never>;
}

function firstLineOf(cause: unknown): string {
	return cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause);
}

function unusable(entrypoint: string, what: string, cause?: unknown): ProductReviewsConfigurationError {
	return new ProductReviewsConfigurationError(
		'PR_STORAGE_DRIVER',
		`The driver "${entrypoint}" of the option "storage" ${what}`,
		'Use the name of a driver of unstorage, such as "redis", and install the packages that the driver needs.',
		{ cause },
	);
}
