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
