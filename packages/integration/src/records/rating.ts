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
export function usableRating(value: unknown): number | undefined {
	return typeof value === 'number' && value >= 1 && value <= 5 ? Math.round(value * 100) / 100 : undefined;
}

/** The rating of a product in an answer of operation 1; `undefined` if it has none, or none that can be shown. */
export function usableAggregate(count = 0, average = Number.NaN): AggregateRating | undefined {
	const usable = Number.isSafeInteger(count) && count > 0 ? usableRating(average) : undefined;
	return usable === undefined ? undefined : { average: usable, count };
}

/** Returns average and number of ratings. Without any, there is no average: `NaN`. */
export function aggregateOf(ratings: readonly number[]): AggregateRating {
	const sum = ratings.reduce((total, rating) => total + rating, 0);
	return { average: sum / ratings.length, count: ratings.length };
}

/** A rating in full stars, as counted by the bars and the filter; 0 for a review without a rating. */
export function fullStars(rating: number | undefined): number {
	return rating === undefined ? 0 : Math.min(5, Math.max(1, Math.round(rating)));
}

/** The rating of a product in a list of ratings. */
export interface KnownRating {
	readonly average: number;
	readonly count: number;
	readonly questionCount: number | undefined;
}

/** The ratings of a list of products, by id. Products unknown to the provider are missing. */
export type Ratings = ReadonlyMap<string, KnownRating>;

export const NO_RATING: KnownRating = { average: 0, count: 0, questionCount: undefined };

/** Averages are rounded differently by different writers, and mean nothing without ratings. */
export function isSameRating(known: KnownRating, rating: KnownRating): boolean {
	if (known.count !== rating.count) return false;
	if (rating.count > 0 && Math.abs(known.average - rating.average) > 0.005) return false;
	const counts = [known.questionCount, rating.questionCount];
	return counts.includes(undefined) || counts[0] === counts[1];
}

/** Reads the rating of a stored part from its summary. */
export function ratingOf(summary: string | undefined): AggregateRating | undefined {
	const { count, average } = JSON.parse(summary ?? '{}') as Partial<KnownRating>;
	return usableAggregate(count, average);
}

/** Returns the day of the newest review of a stored part, `YYYY-MM-DD`; `undefined` if it has no dated review. */
export function newestOf(summary: string | undefined): string | undefined {
	const { newest } = JSON.parse(summary ?? '{}') as { readonly newest?: string };
	return newest || undefined;
}
