import { LONGEST_LIST } from '../contract/fields.js';

/**
 * Returns those of the first {@link LONGEST_LIST} reviews in a response of operation 2 that have all required fields,
 * so that one bad review does not invalidate the others. If none do, returns all, so that validation can report the
 * problem.
 *
 * It does not use the schema, which would take seconds, and gigabytes, to report the issues of a million reviews.
 */
export function withReadableReviews(data: readonly unknown[]): {
	readonly reviews: readonly unknown[];
	/** Number of reviews that were left out. */
	readonly unreadable: number;
} {
	const reviews = data.slice(0, LONGEST_LIST).filter(isReadable);
	if (reviews.length === 0) return { reviews: data, unreadable: 0 };
	return { reviews, unreadable: data.length - reviews.length };
}

function isReadable(item: unknown): boolean {
	if (typeof item !== 'object' || item === null) return false;
	const { _id, pid, rtng } = item as Record<string, unknown>;
	const isProductId = typeof pid === 'string' ? pid !== '' : Number.isFinite(pid);
	return typeof _id === 'string' && isProductId && Number.isFinite(rtng);
}
