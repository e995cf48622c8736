import { sharedMap } from '../runtime/shared-map.js';

/** The accounts whose review data a content collection of this process has. Any page may show any of it. */
export const reviewsCollections = sharedMap<true>('collections');
