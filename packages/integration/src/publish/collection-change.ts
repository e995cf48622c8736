import type { OpenReviews } from '../build/open-reviews.js';

/**
 * Whether the review data of a product changed. A content collection has it, and nobody knows which pages show it.
 * Products that the collection never had are not asked for.
 */
export async function hasCollectionChanged(
	pid: string,
	{ store, reviewData }: OpenReviews,
): Promise<boolean> {
	const table = store.table('review-data');
	const before = table.entry(pid)?.digest;
	if (before === undefined) return false;
	await reviewData.settle(pid);
	return table.entry(pid)?.digest !== before;
}
