import type { AstroIntegrationLogger } from 'astro';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { StorageOptions } from '../options/storage.js';
import type { PageChanges } from '../pages/build-pages.js';
import { sharedMap } from '../pages/page-source.js';
import type { SiteConnection } from '../providers/load-provider.js';
import type { FragmentSettings } from '../render/fragment.js';
import type { ChangedProducts } from './changed-products.js';
import type { BuildPlaces } from './manifest.js';

export type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn'>;

export interface RunContext {
	readonly options: ProductReviewsOptions;
	readonly connection: SiteConnection;
	readonly cacheFile: string;
	readonly settings: FragmentSettings;
	readonly storage?: StorageContext | undefined;
	readonly logger: Logger;
}

export interface StorageContext {
	readonly options: StorageOptions;
	readonly environment: string | undefined;
	readonly root: string;
}

/** Facts that the integration knows of a site: its options, and where the service and the cache are. */
export type SiteContext = Omit<RunContext, 'logger'>;

export interface BuildContext extends RunContext, BuildProject {
	readonly changed: ChangedProducts;
}

export interface BuildProject {
	/** Random, and new for each build. */
	readonly id: string;
	readonly reportFile: string;
	/** `true` if Astro reuses pages with a key from its cache: `experimental.incrementalBuild`. */
	readonly isIncremental: boolean;
	/** Returns where the build writes, and what it is made with. Known when the configuration is complete. */
	readonly places: () => BuildPlaces;
	readonly changes: PageChanges | undefined;
}

/** The accounts whose review data a content collection of this process has. Any page may show any of it. */
export const reviewsCollections = sharedMap<true>('collections');
