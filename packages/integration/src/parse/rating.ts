/** Average rating and count over all ratings of a product. */
export interface AggregateRating {
	/** Stars, 1 to 5. */
	readonly average: number;
	/** At least 1. */
	readonly count: number;
}

/**
 * A rating within the service's scale ("Rating: <n>/5", `worstRating` "1", `bestRating` "5"), to two decimals. Anything else is
 * `undefined`, and never clamped.
 */
export function usableRating(value: number): number | undefined {
	return value >= 1 && value <= 5 ? Math.round(value * 100) / 100 : undefined;
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
