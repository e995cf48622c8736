import { adviseOnNumber, describeNoProductId, readProductId } from '../base/product-id.js';
import { InvalidPropError } from '../errors.js';

/** The exports of `virtual:product-reviews`. */
export const PUBLIC_FUNCTIONS = [
	'getProductReviews',
	'getStarRating',
	'getReviewData',
	'reviewsMarkdown',
	'reviewPages',
	'ratingFields',
	'reviewsCacheKey',
	'forgetReviews',
] as const;

/** Functions for components only. Add a new one to `internal.ts`, and one of pages to `virtual.d.ts`. */
export const COMPONENT_FUNCTIONS = [
	'fragmentHtml',
	'ownListHtml',
	'reviewSectionParts',
	'reviewEntry',
] as const;

/**
 * Validates a product ID from a page, and returns it as the service knows it.
 * @param asker the component or function to name in the message.
 * @throws TypeError if it is not a product ID.
 */
export function checkProductId(given: unknown, asker: string): string {
	const pid = readProductId(given);
	if (pid !== undefined) return pid;
	const advice = adviseOnNumber(given);
	throw new InvalidPropError(
		`${asker} needs a product ID, but received ${describeNoProductId(given)}. Give the ID by which the review service knows the product${advice ? `: ${advice}` : ', such as pid={product.id}.'}`,
		'PR_INVALID_PRODUCT_ID',
	);
}

/** Tag of every page that shows reviews. */
export const ALL_REVIEWS_TAG = 'reviews';

/**
 * The tag of pages that show the reviews of a product, for `Astro.cache.invalidate({ tags })`. Characters other than
 * letters, digits and `-_.!~*'()` are percent-encoded, because tags are sent in a comma-separated header.
 * @example reviewTag('p-1') // 'reviews:p-1'
 */
export function reviewTag(pid: string): string {
	return `${ALL_REVIEWS_TAG}:${encodeURIComponent(pid.toWellFormed())}`;
}
