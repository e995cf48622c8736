/** The order in which reviews are shown. `'as-sent'` is the service's own. */
export type ReviewOrder = 'newest' | 'highest' | 'lowest' | 'as-sent';

interface Sortable {
	readonly date: string | undefined;
	readonly rating: number | undefined;
}

/**
 * The reviews to show, in order. Those without the date or rating that the order needs come last; equal ones keep the
 * service's order.
 * @param limit how many at the most; `undefined` is all.
 */
export function selectReviews<Review extends Sortable>(
	reviews: readonly Review[],
	order: ReviewOrder = 'as-sent',
	limit?: number,
): readonly Review[] {
	const compare = COMPARE[order];
	const sorted = compare ? reviews.toSorted(compare) : reviews;
	return limit === undefined ? sorted : sorted.slice(0, Math.max(0, limit));
}

const COMPARE: Record<ReviewOrder, ((a: Sortable, b: Sortable) => number) | undefined> = {
	'as-sent': undefined,
	newest: (a, b) => (b.date ?? '').localeCompare(a.date ?? '', 'en'),
	highest: (a, b) => (b.rating ?? 0) - (a.rating ?? 0),
	lowest: (a, b) => (a.rating ?? Number.POSITIVE_INFINITY) - (b.rating ?? Number.POSITIVE_INFINITY) || 0,
};
