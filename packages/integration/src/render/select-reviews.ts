import { InvalidPropError } from '../errors.js';

/** The order in which reviews are shown. `'as-sent'` is the service's own. */
export type ReviewOrder = 'newest' | 'highest' | 'lowest' | 'as-sent';

interface Sortable {
	readonly date: string | undefined;
	readonly rating: number | undefined;
}

/**
 * The reviews to show, in order. Those without the date or rating that the order needs come last. Ties keep the
 * service's order.
 * @param limit maximum number of reviews. @default all
 * @throws TypeError for an unknown order, or a limit that is not a number.
 */
export function selectReviews<Review extends Sortable>(
	reviews: readonly Review[],
	order?: ReviewOrder | null,
	limit?: number | null,
): readonly Review[] {
	const compare = COMPARE[readOrder(order ?? 'as-sent')];
	const most = readLimit(limit ?? Number.POSITIVE_INFINITY);
	return (compare ? reviews.toSorted(compare) : reviews).slice(0, most);
}

/** The number of reviews that {@link selectReviews} returns. */
export function countSelected(reviews: readonly unknown[], limit?: number | null): number {
	return Math.min(reviews.length, readLimit(limit ?? Number.POSITIVE_INFINITY));
}

function readOrder(order: string): ReviewOrder {
	if (Object.hasOwn(COMPARE, order)) return order as ReviewOrder;
	const known = Object.keys(COMPARE).map((name) => `'${name}'`);
	throw new InvalidPropError(`Expected \`sort\` to be one of ${known.join(', ')}, received '${order}'.`);
}

/** A template attribute may pass the number as text. */
function readLimit(limit: number | string): number {
	const number = Number(limit);
	if (!Number.isNaN(number)) return Math.max(0, number);
	throw new InvalidPropError(`Expected \`limit\` to be a number of reviews, received '${limit}'.`);
}

const COMPARE: Record<ReviewOrder, ((a: Sortable, b: Sortable) => number) | undefined> = {
	'as-sent': undefined,
	newest: (a, b) => (b.date ?? '').localeCompare(a.date ?? '', 'en'),
	highest: (a, b) => (b.rating ?? 0) - (a.rating ?? 0),
	lowest: (a, b) => (a.rating ?? Number.POSITIVE_INFINITY) - (b.rating ?? Number.POSITIVE_INFINITY) || 0,
};
