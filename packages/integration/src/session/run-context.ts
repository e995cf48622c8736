import type { AstroIntegrationLogger } from 'astro';
import type { Connection } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { StorageOptions } from '../options/storage.js';
import type { FragmentSettings } from '../render/fragment.js';
import { sharedMap } from '../runtime/page-source.js';
import type { ChangedProducts } from './changed-products.js';
import type { BuildPlaces } from './last-build.js';
import type { PageChanges } from './pages.js';

/** The part of Astro's logger that is used. */
export type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn'>;

/** What a build or dev server starts from. */
export interface RunContext {
	readonly options: ProductReviewsOptions;
	readonly connection: Connection;
	/** Path of the store's file. */
	readonly storeFile: string;
	/** What fragments are written with. */
	readonly settings: FragmentSettings;
	/** `undefined` without the option `storage`. */
	readonly storage?: StorageContext | undefined;
	readonly logger: Logger;
}

/** The storage that builds share with others. */
export interface StorageContext {
	readonly options: StorageOptions;
	/** More options of the driver, as JSON, from the environment. */
	readonly environment: string | undefined;
	/** Folder of the project, from which drivers of its own are found. */
	readonly root: string;
}

/** What the integration knows of a site: its options, and where the service and the store are. */
export type SiteContext = Omit<RunContext, 'logger'>;

/** What a build starts from. */
export interface BuildContext extends RunContext, BuildProject {
	/** What is known to have changed, from whatever started the build. */
	readonly changed: ChangedProducts;
}

/** What a build needs to know of the Astro project. */
export interface BuildProject {
	/** Path of the build's report. */
	readonly reportFile: string;
	/** Whether Astro reuses pages with a key from its cache: `experimental.incrementalBuild`. */
	readonly isIncremental: boolean;
	/** Where the build writes, and what it is made with. Known when the configuration is complete. */
	readonly places: () => BuildPlaces;
	/** Notes when the reviews on pages last changed; `undefined` if nobody wants to know. */
	readonly changes: PageChanges | undefined;
}

/** The accounts whose review data a content collection of this process has. Any page may show any of it. */
export const reviewsCollections = sharedMap<true>('collections');

/** Timers take a signed 32-bit number. */
const LONGEST_TIMER = 2_147_483_647;

let waiting = 0;

let timer: NodeJS.Timeout | undefined;

/**
 * Keeps the process alive until a promise that a page or a build waits for is settled. Nothing else in a build does, so
 * the process of an abandoned build can exit even if requests are still pending.
 */
export async function keepAlive<Value>(promise: Promise<Value>): Promise<Value> {
	waiting += 1;
	// One timer for all: pages wait thousands of times.
	timer ??= setInterval(() => {}, LONGEST_TIMER);
	timer.ref();
	try {
		return await promise;
	} finally {
		waiting -= 1;
		if (waiting === 0) timer.unref();
	}
}
