import { LONGEST_LIST } from '../contract/fields.js';

/**
 * The reviews of an answer of operation 2 that have what a review needs, among the first {@link LONGEST_LIST}: one that does
 * not must not cost the product all others. Where none can be read, all of them.
 *
 * Told without a validator: that would take seconds, and gigabytes, to say what is wrong with a million of them.
 */
export function withReadableReviews(data: readonly unknown[]): {
	readonly reviews: readonly unknown[];
	/** How many were left out. */
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
