import type { OpenReviews } from '../build/open-reviews.js';
import { pack } from '../store/pack.js';

/**
 * Whether the review data of a product is other than in the last build. A content collection has it, and nobody knows which
 * pages show it. Products that the collection never had are not asked for. What the collection has is kept until the next
 * build: only the first run finds it in the store, and its rebuild may fail.
 * @param builtAt when that was, in milliseconds since 1970.
 */
export async function hasCollectionChanged(
	pid: string,
	{ store, reviewData }: Pick<OpenReviews, 'store' | 'reviewData'>,
	builtAt: number,
): Promise<boolean> {
	const table = store.table('review-data');
	const output = store.table<{ readonly digest: string }>('output');
	const key = `collection ${pid}`;
	const kept = output.get(key);
	const isKept = kept && kept.fetchedAt >= builtAt;
	const before = isKept ? kept.value.digest : table.entry(pid)?.digest;
	if (before === undefined) return false;
	if (!isKept) output.put(key, pack({ digest: before }), Date.now());
	await reviewData.settle(pid);
	return table.entry(pid)?.digest !== before;
}
