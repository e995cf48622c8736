import type { Kind, Resource } from './review-store.js';

/** What the service sends of a product. */
export const RESOURCES = ['reviews', 'review-data'] as const satisfies readonly Resource[];

/** The same, and the stars that it sends in lists. */
export const SENT_KINDS = [...RESOURCES, 'rating'] as const satisfies readonly Kind[];

/** Everything that is kept of a product, and not of a page. */
export const PRODUCT_KINDS = [...SENT_KINDS, 'mark'] as const satisfies readonly Kind[];
