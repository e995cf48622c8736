import { ProductReviewsConfigurationError } from '../errors.js';
import type { Runtime } from './create-runtime.js';

/** Is in place of all functions that components call: the integration resolves this module to the runtime and its settings. */
function missing(): never {
	throw new ProductReviewsConfigurationError(
		'PR_INTEGRATION_MISSING',
		'A component of astro-product-reviews is on this page, but productReviews() is not in the Astro configuration.',
		'Import it from "astro-product-reviews" in astro.config.mjs, and add it there: integrations: [productReviews()].',
	);
}

export const fragmentHtml: Runtime['fragmentHtml'] = missing;
export const ownListHtml: Runtime['ownListHtml'] = missing;
export const reviewSectionParts: Runtime['reviewSectionParts'] = missing;
export const reviewEntry: Runtime['reviewEntry'] = missing;
