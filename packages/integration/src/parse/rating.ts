/** Average rating and count over all ratings of a product. */
export interface AggregateRating {
	/** Stars, 1 to 5. */
	readonly average: number;
	/** At least 1. */
	readonly count: number;
}

/** Lowest and highest rating of the service ("Rating: <n>/5", `worstRating` "1", `bestRating` "5"). */
const WORST_RATING = 1;

const BEST_RATING = 5;

/** A rating within the service's scale, to two decimals. Anything else is `undefined`, and never clamped. */
export function usableRating(value: number): number | undefined {
	if (!Number.isFinite(value) || value < WORST_RATING || value > BEST_RATING) return undefined;
	return Math.round(value * 100) / 100;
}

/** The rating of a product in an answer of operation 1; `undefined` if it has none, or none that can be shown. */
export function usableAggregate(count = 0, average = Number.NaN): AggregateRating | undefined {
	const usable = Number.isSafeInteger(count) && count > 0 ? usableRating(average) : undefined;
	return usable === undefined ? undefined : { average: usable, count };
}

/** A rating in full stars, as counted by the bars and the filter; 0 for a review without a rating. */
export function fullStars(rating: number | undefined): number {
	return rating === undefined ? 0 : Math.min(5, Math.max(1, Math.round(rating)));
}
