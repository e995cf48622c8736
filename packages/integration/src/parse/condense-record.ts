import type { DisplayedReview, ProductReviews, StatedReview } from './record.js';

/** A record as the store keeps it: what html and structured data say alike is there once. */
export type CondensedRecord = Omit<ProductReviews, 'schema'> & {
	readonly schema:
		| (Omit<NonNullable<ProductReviews['schema']>, 'reviews'> & {
				readonly reviews: readonly (StatedReview | SameReview)[];
		  })
		| undefined;
};

/** A review that says what the one of the same place in the html says. */
interface SameReview {
	readonly same: true;
	readonly publisher?: string | undefined;
}

/**
 * The record in about half of its length, as most products say everything twice. {@link restoreRecord} gives it back.
 */
export function condenseRecord(record: ProductReviews): CondensedRecord {
	const { schema, reviews } = record;
	if (!schema) return { ...record, schema };
	return {
		...record,
		schema: {
			...schema,
			reviews: schema.reviews.map((stated, index) => {
				const shown = reviews[index];
				return shown && isSame(stated, shown) ? { same: true, publisher: stated.publisher } : stated;
			}),
		},
	};
}

/** The record that {@link condenseRecord} was given. */
export function restoreRecord(condensed: CondensedRecord): ProductReviews {
	const { schema, reviews } = condensed;
	if (!schema) return { ...condensed, schema };
	return {
		...condensed,
		schema: {
			...schema,
			reviews: schema.reviews.map((stated, index) => {
				if (!('same' in stated)) return stated;
				const { author, rating, body, date } = reviews[index] as DisplayedReview;
				return { author, rating, publisher: stated.publisher, body, date };
			}),
		},
	};
}

function isSame(stated: StatedReview, shown: DisplayedReview): boolean {
	return (
		stated.author === shown.author &&
		stated.rating === shown.rating &&
		stated.body === shown.body &&
		stated.date === shown.date
	);
}
