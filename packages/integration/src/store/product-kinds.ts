import type { Kind, Resource } from './review-store.js';

/** What the service sends of a product. */
export const RESOURCES = ['reviews', 'review-data'] as const satisfies readonly Resource[];

/** Everything that is kept of a product, and not of a page. */
export const PRODUCT_KINDS = [...RESOURCES, 'stars', 'rating', 'mark'] as const satisfies readonly Kind[];
