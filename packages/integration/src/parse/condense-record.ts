import type { DisplayedReview, ProductReviews, StatedReview } from './record.js';

/** A record as the store keeps it: what html and structured data have in common is stored once. */
export type CondensedRecord = Omit<ProductReviews, 'schema'> & {
	readonly schema:
		| (Omit<NonNullable<ProductReviews['schema']>, 'reviews'> & {
				readonly reviews: readonly (StatedReview | SameReview)[];
		  })
		| undefined;
};

/** A review that equals the one at the same position in the html. */
interface SameReview {
	readonly same: true;
	readonly publisher?: string | undefined;
}

/** The record at about half its size, since most products say everything twice. {@link restoreRecord} is the inverse. */
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

/** The record that was given to {@link condenseRecord}. */
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
