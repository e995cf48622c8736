import { z } from 'astro/zod';

/** One form of a label for each plural category of the page's language (`Intl.PluralRules`). */
export const pluralForms = z.strictObject({
	zero: z.string().optional(),
	one: z.string().optional(),
	two: z.string().optional(),
	few: z.string().optional(),
	many: z.string().optional(),
	other: z.string(),
});

/** A word or sentence that depends on a count. */
const plural = z.union([z.string(), pluralForms], {
	error: 'Expected a string, or an object with one string a plural form, "other" among them.',
});

/** Every word that the components write into a page. `{rating}`, `{average}` and `{count}` are filled in. */
export const labelsSchema = z.strictObject({
	/**
	 * Heading over the reviews.
	 * @default what the service sends, or else 'Customer reviews'
	 */
	heading: z.string().optional(),
	/**
	 * Rating of one review in the crawler-readable block.
	 * @default 'Rating: {rating}/5'
	 */
	rating: z.string().default('Rating: {rating}/5'),
	/**
	 * What a screen reader says for a row of stars.
	 * @default '{rating} out of 5 stars'
	 */
	stars: z.string().default('{rating} out of 5 stars'),
	/**
	 * How many reviews there are, beside the stars of `<StarRating>`.
	 * @default { one: '{count} review', other: '{count} reviews' }
	 */
	count: plural.default({ one: '{count} review', other: '{count} reviews' }),
	/**
	 * Average and count: above the visible list, and on the summary that opens `display="details"`.
	 * @default { one: '{average} out of 5, {count} review', other: '{average} out of 5, {count} reviews' }
	 */
	summary: plural.default({
		one: '{average} out of 5, {count} review',
		other: '{average} out of 5, {count} reviews',
	}),
	/**
	 * Shown in place of an author who gave no name.
	 * @default 'Anonymous'
	 */
	anonymous: z.string().default('Anonymous'),
});

/** Every word that the components write, all filled in. */
export type Labels = z.output<typeof labelsSchema>;
/** A label whose form depends on a count. */
export type PluralLabel = z.output<typeof plural>;
