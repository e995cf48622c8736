import type { RunContext } from '../build/run-context.js';
import { sharedMap } from '../runtime/shared-map.js';

/** What the integration knows of a site: its options, and where the service and the store are. */
export type SiteContext = Omit<RunContext, 'logger'>;

/** The sites of this process by the URL of their root folder. Astro gives content loaders no access to integrations. */
export const reviewSites = sharedMap<() => SiteContext>('sites');
