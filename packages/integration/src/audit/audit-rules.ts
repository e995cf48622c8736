import { PLACEMENT_RULES } from './placement-rules.js';
import { PRODUCT_RULES } from './product-rules.js';
import { REVIEW_RULES } from './review-rules.js';

/**
 * Every rule that pages may break, in the order of the warnings. Builds check those about placements, and the dev toolbar
 * checks all of them.
 * @see https://developers.google.com/search/docs/appearance/structured-data/sd-policies
 */
export const RULES = [...PLACEMENT_RULES, ...PRODUCT_RULES, ...REVIEW_RULES] as const;

/** Name of a rule. */
export type AuditRule = (typeof RULES)[number]['name'];
