import { InvalidPropError } from '../../errors.js';
import type { FullReview } from '../../parse/record.js';
import { type ReviewOrder, selectReviews } from '../select-reviews.js';
import { readCount } from './parts.js';

/** Which reviews are shown. A review must meet every given condition. */
export interface ReviewFilter {
	/** Only these numbers of stars. Half stars are rounded up. */
	readonly stars?: number | readonly number[] | undefined;
	/** Minimum number of stars. */
	readonly minRating?: number | undefined;
	/** Whether the author bought the product. */
	readonly verified?: boolean | undefined;
	/** Whether the author recommends the product. */
	readonly recommends?: boolean | undefined;
	/** Whether the merchant shows it as a testimonial. */
	readonly testimonial?: boolean | undefined;
	/** Whether it has an image or a video. */
	readonly hasMedia?: boolean | undefined;
	/** Whether it has a text. */
	readonly hasText?: boolean | undefined;
	/** A tag that it has. */
	readonly tag?: string | undefined;
	/** The key of a topic that it mentions. */
	readonly topic?: string | undefined;
}

/** Returns whether a review is shown. */
export type ReviewTest = (review: FullReview) => boolean;

/**
 * The prop `filter` as a function. @throws TypeError for an invalid filter, because a misspelled one would show
 * everything.
 */
function toReviewTest(filter: ReviewFilter | ReviewTest | undefined | null): ReviewTest {
	if (filter === undefined || filter === null) return () => true;
	if (typeof filter === 'function') return filter;
	if (typeof filter !== 'object') {
		throw new InvalidPropError(
			`Expected \`filter\` to be a function or an object, received a value of type ${typeof filter}.`,
		);
	}
	const tests = Object.entries(filter)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => testOf(name, value));
	return (review) => tests.every((test) => test(review));
}

/**
 * Whether a filter omits reviews by their rating. An object does so with `stars` or `minRating`. A function does so if
 * every review that it drops has a lower rating than every one that it keeps.
 */
export function isSplitByRating(
	filter: ReviewFilter | ReviewTest | undefined | null,
	reviews: readonly FullReview[],
): boolean {
	if (typeof filter !== 'function') return filter?.stars !== undefined || filter?.minRating !== undefined;
	const { kept = [], dropped = [] } = Object.groupBy(reviews, (review) =>
		filter(review) ? 'kept' : 'dropped',
	);
	// A review without a rating was neither kept nor dropped because of it.
	const highest = Math.max(...dropped.map(({ rating }) => rating ?? Number.POSITIVE_INFINITY));
	return dropped.length > 0 && kept.every(({ rating }) => rating !== undefined && rating > highest);
}

/** A rating in full stars, as counted by the bars and the filter; 0 for a review without a rating. */
export function fullStars(rating: number | undefined): number {
	return rating === undefined ? 0 : Math.min(5, Math.max(1, Math.round(rating)));
}

function testOf(name: string, value: unknown): ReviewTest {
	if (Object.hasOwn(TESTS, name)) return TESTS[name as keyof ReviewFilter](value as never);
	const known = Object.keys(TESTS).map((key) => `'${key}'`);
	throw new InvalidPropError(`Expected \`filter\` to hold ${known.join(', ')}, received '${name}'.`);
}

const TESTS: { [Name in keyof ReviewFilter]-?: (value: NonNullable<ReviewFilter[Name]>) => ReviewTest } = {
	stars: (value) => {
		const wanted = new Set([value].flat());
		return ({ rating }) => wanted.has(fullStars(rating));
	},
	minRating:
		(least) =>
		({ rating }) =>
			rating !== undefined && rating >= least,
	verified:
		(value) =>
		({ verified }) =>
			verified === value,
	recommends:
		(value) =>
		({ recommends }) =>
			(recommends ?? false) === value,
	testimonial:
		(value) =>
		({ testimonial }) =>
			testimonial === value,
	hasMedia:
		(value) =>
		({ images, videos }) =>
			images.length + videos.length > 0 === value,
	hasText:
		(value) =>
		({ body }) =>
			(body !== undefined) === value,
	tag:
		(value) =>
		({ tags }) =>
			tags.includes(value),
	topic:
		(value) =>
		({ topics }) =>
			topics.some(({ key }) => key === value),
};

/** The order in which full reviews are shown. `'helpful'` starts with the most helpful ones. */
export type FullReviewOrder = ReviewOrder | 'helpful';

/** Which reviews are shown, and in which order. */
export interface ReviewSelection {
	/** The conditions that a review must meet, or a function that returns whether to show it. @default all reviews */
	filter?: ReviewFilter | ReviewTest | undefined;
	/** Reviews pinned by the merchant come first in every order. @default 'as-sent' */
	sort?: FullReviewOrder | undefined;
	/** Maximum number of reviews. `Infinity` shows all. The page grows by about 1 KB per review. @default 100 */
	limit?: number | undefined;
}

const DEFAULT_LIMIT = 100;

/** The reviews to show, in order. @throws TypeError for an invalid selection */
export function selectFullReviews(
	reviews: readonly FullReview[],
	{ filter, sort, limit }: ReviewSelection,
): readonly FullReview[] {
	const wanted = reviews.filter(toReviewTest(filter));
	const ordered = sort === 'helpful' ? wanted.toSorted(byHelpfulness) : selectReviews(wanted, sort);
	const most = readCount('limit', limit ?? DEFAULT_LIMIT);
	const pinned = ordered.filter((review) => review.pinned);
	const others = pinned.length > 0 ? ordered.filter((review) => !review.pinned) : ordered;
	return [...pinned, ...others].slice(0, most);
}

function byHelpfulness(a: FullReview, b: FullReview): number {
	return b.helpfulCount - a.helpfulCount || a.unhelpfulCount - b.unhelpfulCount;
}
