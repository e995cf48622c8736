import { z } from 'astro/zod';

/** One form of a label for each plural category of the page's language (`Intl.PluralRules`). */
const pluralForms = z.strictObject({
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
		error: 'Expected a string, or an object with a string for each plural form, including "other".',
	})
	.optional();

/**
 * The site's own words, for every word that the components write into a page. Words that you omit are written in the page's
 * language (English, German, French, Spanish, Portuguese, Italian, Dutch, Japanese or Arabic), or otherwise in English.
 * `{count}`, `{rating}`, `{average}`, `{percent}`, `{author}`, `{source}`, `{variant}`, `{shown}`, `{language}`, `{page}` and `{pages}` can be used wherever the default has them.
 */
export const labelsSchema = z.strictObject({
	/** Heading over the reviews. @default on an English page the heading that the service sends, otherwise 'Customer reviews' */
	heading: word,
	/** Rating of one review in the crawler-readable block. @default 'Rating: {rating}/5' */
	rating: word,
	/** Text that a screen reader says for a row of stars. @default '{rating} out of 5 stars' */
	stars: word,
	/** Number of reviews. @default { one: '{count} review', other: '{count} reviews' } */
	count: plural,
	/**
	 * Average rating and number of reviews, above the visible list and on the summary of `display="details"`.
	 * @default { one: '{average} out of 5, {count} review', other: '{average} out of 5, {count} reviews' }
	 */
	summary: plural,
	/** Shown if the author gave no name. @default 'Anonymous' */
	anonymous: word,
	/** Accessible name of the bars of `<RatingSummary>`. @default 'Ratings by number of stars' */
	distribution: word,
	/** Number of stars, of a bar and in the filter. @default { one: '{count} star', other: '{count} stars' } */
	starCount: plural,
	/** Share of reviewers who recommend the product. @default '{percent} recommend this product' */
	recommendShare: word,
	/** Heading over the topics. @default 'What reviews mention' */
	topics: word,
	/** Number of mentions of a topic. @default { one: '{count} mention', other: '{count} mentions' } */
	mentions: plural,
	/** Share of a topic's mentions. @default '{percent} positive' */
	positive: word,
	/** Share of a topic's mentions. @default '{percent} neutral' */
	neutral: word,
	/** Share of a topic's mentions. @default '{percent} negative' */
	negative: word,
	/** Heading over images and videos. @default 'Photos and videos' */
	media: word,
	/** Text alternative of an image. @default 'Photo by {author}' */
	photo: word,
	/** Text alternative of a video. @default 'Video by {author}' */
	video: word,
	/** Heading over the list of reviews inside `<ReviewSection>`. @default 'Reviews' */
	reviews: word,
	/** Above a list that has not all reviews. @default { one: '{shown} of {count} review', other: '{shown} of {count} reviews' } */
	shownOf: plural,
	/** Heading of `<LatestReviews>`. @default 'Latest reviews' */
	latest: word,
	/** On a review whose author bought the product. @default 'Verified buyer' */
	verified: word,
	/** Before the text of a review whose author received something for it. @default 'Received a reward for this review' */
	incentivized: word,
	/** Above the store's answer to a review. @default 'Reply from the store' */
	reply: word,
	/** Variant of the product that the author bought. @default 'Variant: {variant}' */
	variant: word,
	/** On a review that the merchant pinned to the top. @default 'Pinned' */
	pinned: word,
	/** On a review that the merchant shows as a testimonial. @default 'Testimonial' */
	testimonial: word,
	/** On a review that does not recommend the product. @default 'Does not recommend this product' */
	recommendsNot: word,
	/** Accessible name of a review's list of tags. @default 'Tags' */
	tags: word,
	/** Votes for a review. @default 'Helpful: {count}' */
	helpful: plural,
	/** Votes against a review. @default 'Not helpful: {count}' */
	unhelpful: plural,
	/** Source of an imported review. @default 'First published on {source}' */
	source: word,
	/** Label of the filter by stars. @default 'Show reviews with' */
	filter: word,
	/** The filter's option for all stars. @default 'All' */
	filterAll: word,
	/** The filter's option for reviews in the page's language, where there are others. @default 'Only in {language}' */
	ownLanguage: word,
	/** Shows the rest of a long review. @default 'Read more' */
	readMore: word,
	/** Link to where customers write a review. @default 'Write a review' */
	writeReview: word,
	/** Above that link, if a product has no reviews. @default 'No reviews yet' */
	noReviews: word,
	/** Shows more images and videos. @default { one: '{count} more photo or video', other: '{count} more photos and videos' } */
	moreMedia: plural,
	/** Button of an opened image or video. @default 'Close' */
	close: word,
	/** Button of an opened image or video. @default 'Previous' */
	previousMedia: word,
	/** Button of an opened image or video. @default 'Next' */
	nextMedia: word,
	/** Shows more reviews. @default { one: '{count} more review', other: '{count} more reviews' } */
	more: plural,
	/** Between the links of a list with pages. @default 'Page {page} of {pages}' */
	pageOf: word,
	/** Link to the page before. @default 'Previous page' */
	previousPage: word,
	/** Link to the next page. @default 'Next page' */
	nextPage: word,
	/** Heading over the questions. @default 'Questions and answers' */
	questions: word,
	/** In front of an answer. @default 'Answer' */
	answer: word,
	/** On a question without an answer. @default 'Not answered yet' */
	unanswered: word,
	/** Shows more questions. @default { one: '{count} more question', other: '{count} more questions' } */
	moreQuestions: plural,
});

/** The words that the site sets. */
export type GivenLabels = z.output<typeof labelsSchema>;
/** Every word that the components write. */
export type Labels = { readonly [Name in keyof GivenLabels]-?: NonNullable<GivenLabels[Name]> };
/** A label whose form depends on a count. */
export type PluralLabel = NonNullable<z.output<typeof plural>>;
