import type { ProductReviews, Review, StatedReview } from './record.js';

/** A record as the cache keeps it, at about half its size: what html and structured data have in common is stored once. */
export interface CondensedRecord extends Omit<ProductReviews, 'schema'> {
	readonly schema: Schema<StatedReview | SameReview> | undefined;
}

type Schema<Stated> = Omit<NonNullable<ProductReviews['schema']>, 'reviews'> & {
	readonly reviews: readonly Stated[];
};

interface SameReview {
	readonly same: true;
	readonly publisher?: string | undefined;
}

const SAME_FIELDS = ['author', 'rating', 'body', 'date'] as const;

export function condenseRecord({ schema, ...record }: ProductReviews): CondensedRecord {
	const reviews = schema?.reviews.map((stated, index) => {
		const shown = record.reviews[index];
		const isSame = shown && SAME_FIELDS.every((field) => stated[field] === shown[field]);
		return isSame ? ({ same: true, publisher: stated.publisher } as const) : stated;
	});
	return { ...record, schema: schema && { ...schema, reviews: reviews ?? [] } };
}

export function restoreRecord(condensed: CondensedRecord): ProductReviews {
	const { schema, ...record } = condensed;
	if (!schema) return condensed as CondensedRecord & { readonly schema: undefined };
	const reviews = schema.reviews.map((stated, index) => {
		if (!('same' in stated)) return stated;
		const { author, rating, body, date } = record.reviews[index] as Review;
		return { author, rating, publisher: stated.publisher, body, date };
	});
	return { ...record, schema: { ...schema, reviews } };
}
