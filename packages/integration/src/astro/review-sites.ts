import type { AstroConfig } from 'astro';
import type { SiteContext } from '../build/run-context.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { sharedMap } from '../runtime/shared-map.js';
import type { Project } from './project.js';

/** The sites of this process by the URL of their root folder. Astro gives content loaders no access to integrations. */
export const reviewSites = sharedMap<() => SiteContext>('sites');

/** A site whose Astro configuration is complete. */
export interface ConfiguredSite {
	/** With the changes of all integrations. */
	readonly config: AstroConfig;
	readonly options: ProductReviewsOptions;
	readonly project: Pick<Project, 'connection' | 'storeFile'>;
}

/** The sites of this process by the URL of their root folder, for `product-reviews doctor`. */
export const configuredSites = sharedMap<ConfiguredSite>('configured-sites');
