import type { AstroConfig } from 'astro';
import type { ProductReviewsOptions } from '../options/schema.js';
import { sharedMap } from '../runtime/shared-map.js';
import type { Project } from './project.js';

/** A site whose Astro configuration is complete. */
export interface ReviewSite {
	/** With the changes of all integrations. */
	readonly config: AstroConfig;
	readonly options: ProductReviewsOptions;
	readonly project: Pick<Project, 'setMode' | 'connection' | 'storeFile' | 'site' | 'build' | 'environment'>;
}

/**
 * The sites of this process by the URL of their root folder. Astro gives neither content loaders nor commands access to
 * integrations.
 */
export const reviewSites = sharedMap<ReviewSite>('sites');
