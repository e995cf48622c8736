import { type AggregateRating, usableRating } from '../parse/record.js';
import { NO_VALUE, type Packed } from '../store/values.js';

export interface KnownRating {
	readonly average: number;
	readonly count: number;
	readonly questionCount: number | undefined;
}

export const NO_RATING: KnownRating = { average: 0, count: 0, questionCount: undefined };

export function packRating(rating: KnownRating): Packed {
	return { ...NO_VALUE, summary: JSON.stringify(rating) };
}

/** Averages are rounded differently by different writers, and mean nothing without ratings. */
export function isSameRating(known: KnownRating, rating: KnownRating): boolean {
	if (known.count !== rating.count) return false;
	if (rating.count > 0 && Math.abs(known.average - rating.average) > 0.005) return false;
	const counts = [known.questionCount, rating.questionCount];
	return counts.includes(undefined) || counts[0] === counts[1];
}

export function ratingOf(summary: string | undefined): AggregateRating | undefined {
	const { count = 0, average } = JSON.parse(summary ?? '{}') as Partial<KnownRating>;
	const usable = Number.isSafeInteger(count) && count > 0 ? usableRating(average ?? Number.NaN) : undefined;
	return usable === undefined ? undefined : { average: usable, count };
}
