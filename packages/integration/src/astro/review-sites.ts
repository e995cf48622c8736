import type { RunContext } from '../build/start-dev.js';
import { sharedMap } from '../runtime/shared-map.js';

/** What the integration knows of a site: its options, where the service is, and where the store lies. */
export type SiteContext = Omit<RunContext, 'logger'>;

/** The sites of this process by the address of their root folder: Astro does not hand a content loader what integrations know. */
export const reviewSites = sharedMap<() => SiteContext>('sites');
