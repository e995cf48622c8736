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

const word = z.string().optional();

/** A word or sentence that depends on a count. */
const plural = z
	.union([z.string(), pluralForms], {
		error: 'Expected a string, or an object with one string a plural form, "other" among them.',
	})
	.optional();

/**
 * Words of the merchant's own, for every word that the components write into a page. What is left out is written in the
 * page's language (English, German, French, Spanish, Portuguese, Italian, Dutch, Japanese or Arabic), or else in English.
 * `{count}`, `{rating}`, `{average}`, `{percent}`, `{author}` and `{source}` are filled in where a default has them.
 */
export const labelsSchema = z.strictObject({
	/** Heading over the reviews. @default on an English page what the service sends, or else 'Customer reviews' */
	heading: word,
	/** Rating of one review in the crawler-readable block. @default 'Rating: {rating}/5' */
	rating: word,
	/** What a screen reader says for a row of stars. @default '{rating} out of 5 stars' */
	stars: word,
	/** How many reviews there are. @default { one: '{count} review', other: '{count} reviews' } */
	count: plural,
	/**
	 * Average and count: above the visible list, and on the summary that opens `display="details"`.
	 * @default { one: '{average} out of 5, {count} review', other: '{average} out of 5, {count} reviews' }
	 */
	summary: plural,
	/** Shown in place of an author who gave no name. @default 'Anonymous' */
	anonymous: word,
	/** Names the bars of `<RatingSummary>`. @default 'Ratings by number of stars' */
	distribution: word,
	/** Stars of a bar and of the filter. @default { one: '{count} star', other: '{count} stars' } */
	starCount: plural,
	/** Share of those who recommend the product. @default '{percent} recommend this product' */
	recommendShare: word,
	/** Heading over the topics. @default 'What reviews mention' */
	topics: word,
	/** How often a topic is mentioned. @default { one: '{count} mention', other: '{count} mentions' } */
	mentions: plural,
	/** Share of a topic's mentions. @default '{percent} positive' */
	positive: word,
	/** Share of a topic's mentions. @default '{percent} neutral' */
	neutral: word,
	/** Share of a topic's mentions. @default '{percent} negative' */
	negative: word,
	/** Heading over images and videos. @default 'Photos and videos' */
	media: word,
	/** What an image is to those who do not see it. @default 'Photo by {author}' */
	photo: word,
	/** What a video is to those who do not see it. @default 'Video by {author}' */
	video: word,
	/** Heading over the list of reviews inside `<ReviewSection>`. @default 'Reviews' */
	reviews: word,
	/** On a review whose author bought the product. @default 'Verified buyer' */
	verified: word,
	/** On a review that the merchant wants first. @default 'Pinned' */
	pinned: word,
	/** On a review that the merchant shows as a testimonial. @default 'Testimonial' */
	testimonial: word,
	/** On a review that recommends the product. @default 'Recommends this product' */
	recommends: word,
	/** On a review that does not. @default 'Does not recommend this product' */
	recommendsNot: word,
	/** Names the list of a review's tags. @default 'Tags' */
	tags: word,
	/** @default { one: '{count} person found this helpful', other: '{count} people found this helpful' } */
	helpful: plural,
	/** @default { one: '{count} person did not', other: '{count} people did not' } */
	unhelpful: plural,
	/** Where a review was imported from. @default 'First published on {source}' */
	source: word,
	/** Names the choice of stars. @default 'Show reviews with' */
	filter: word,
	/** The choice of all stars. @default 'All' */
	filterAll: word,
	/** Opens the next reviews. @default { one: '{count} more review', other: '{count} more reviews' } */
	more: plural,
	/** Heading over the questions. @default 'Questions and answers' */
	questions: word,
	/** Before an answer. @default 'Answer' */
	answer: word,
	/** On a question without an answer. @default 'Not answered yet' */
	unanswered: word,
	/** Opens the next questions. @default { one: '{count} more question', other: '{count} more questions' } */
	moreQuestions: plural,
});

/** The words that a merchant gave. */
export type GivenLabels = z.output<typeof labelsSchema>;
/** Every word that the components write. */
export type Labels = { readonly [Name in keyof GivenLabels]-?: NonNullable<GivenLabels[Name]> };
/** A label whose form depends on a count. */
export type PluralLabel = NonNullable<z.output<typeof plural>>;
