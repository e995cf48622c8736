/** Tag of every page that shows reviews. */
export const ALL_REVIEWS_TAG = 'reviews';

/**
 * The tag of pages that show the reviews of a product, for `Astro.cache.invalidate({ tags })`. An id of other characters
 * than letters, digits and `-_.!~*'()` is percent-encoded: tags travel in a header, with commas between them.
 * @example reviewTag('p-1') // 'reviews:p-1'
 */
export function reviewTag(pid: string): string {
	return `${ALL_REVIEWS_TAG}:${encodeURIComponent(pid.toWellFormed())}`;
}
