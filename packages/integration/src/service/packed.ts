import { type Packed, pack, packText } from '../cache/values.js';
import { condenseRecord } from '../parse/condensed-record.js';
import { type AggregateRating, usableAggregate } from '../parse/rating.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import type { KnownRating } from './checked-provider.js';

export function packReviews(record: ProductReviews): Packed {
	return pack(condenseRecord(record), record.aggregate);
}

export function packReviewData(data: ReviewData): Packed {
	return pack(data, { ...data.aggregate, questionCount: data.questionCount });
}

export const NO_RATING: KnownRating = { average: 0, count: 0, questionCount: undefined };

export function packRating({ average, count, questionCount }: KnownRating): Packed {
	return packText({ average, count, questionCount });
}

/** Averages are rounded differently by different writers, and mean nothing without ratings. */
export function isSameRating(known: KnownRating, rating: KnownRating): boolean {
	if (known.count !== rating.count) return false;
	if (rating.count > 0 && Math.abs(known.average - rating.average) > 0.005) return false;
	const counts = [known.questionCount, rating.questionCount];
	return counts.includes(undefined) || counts[0] === counts[1];
}

export function ratingOf(summary: string | undefined): AggregateRating | undefined {
	const { count, average } = JSON.parse(summary ?? '{}') as Partial<KnownRating>;
	return usableAggregate(count, average);
}
