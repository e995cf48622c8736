import { type CondensedRecord, condenseRecord, restoreRecord } from '../records/condensed-record.js';
import type { KnownRating } from '../records/rating.js';
import type { ProductReviews, ReviewData } from '../records/record.js';
import { type Content, type Packed, type Part, type Records, summaryOf } from '../reviews/parts.js';
import { pack, packText, unpack } from './values.js';

export function packReviews(record: ProductReviews): Packed {
	return { ...pack(condenseRecord(record)), summary: summaryOf('reviews', record) };
}

export function packReviewData(data: ReviewData): Packed {
	return { ...pack(data), summary: summaryOf('review-data', data) };
}

export function packRating({ average, count, questionCount }: KnownRating): Packed {
	return packText({ average, count, questionCount });
}

const PACK: { readonly [Of in Part]: (record: Records[Of]) => Packed } = {
	reviews: packReviews,
	'review-data': packReviewData,
	rating: packRating,
};

/** Packs a record, unless a thread has done so. */
export function packContent<Of extends Part>(part: Of, content: Content<Of>): Packed {
	return 'record' in content ? PACK[part](content.record) : content;
}

/** Reads a packed record. @throws Error if it is damaged. */
export function readPacked<Of extends Part>(part: Of, packed: Omit<Packed, 'summary'>): Records[Of] {
	const value: unknown = unpack(packed);
	return (part === 'reviews' ? restoreRecord(value as CondensedRecord) : value) as Records[Of];
}
