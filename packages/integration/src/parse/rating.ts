/** Lowest and highest rating of the service ("Rating: <n>/5", `worstRating` "1", `bestRating` "5"). */
const WORST_RATING = 1;
const BEST_RATING = 5;

/** A rating within the service's scale, to two decimals. Anything else is `undefined`, and never clamped. */
export function usableRating(value: number): number | undefined {
	if (!Number.isFinite(value) || value < WORST_RATING || value > BEST_RATING) return undefined;
	return Math.round(value * 100) / 100;
}
