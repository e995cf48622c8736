import { count, nameProduct, plainLine } from '../base/words.js';
import { ReviewPayloadError, ReviewServiceError } from '../errors.js';
import type { ProviderPage, ProviderReview } from '../options/provider.js';
import { type Drop, FieldReader, fieldsOf, MAX_TEXT_LENGTH, MOST } from '../records/field-reader.js';
import { aggregateOf, fullStars, usableRating } from '../records/rating.js';
import { readReviewData } from '../records/read-review-data.js';
import {
	checkRecord,
	type ProductReviews,
	type ReviewData,
	readReview,
	stateReviews,
	unlessEmpty,
} from '../records/record.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the answer of a provider's function `reviews`. It is no more trusted than one of the service.
 * @param given plain data: whatever JSON can hold.
 * @param drop called for each part that is lost.
 * @param warn called if some of its reviews seem to have names of fields that are none.
 * @throws ReviewPayloadError if it cannot be read, and ReviewServiceError if it is about another product.
 */
export function readProviderReviews(pid: string, given: unknown, drop: Drop, warn?: Warn): ProductReviews {
	const { fields, own, aggregate } = readAnswer(pid, given, drop, warn);
	const read = new FieldReader(drop);
	const found = read.list(own, readItem, MOST.reviews, 'review-beyond-limit');
	const reviews = found.map(({ review }) => review);
	const publishers = found.map(({ publisher }) => publisher);
	const product = {
		name: read.line(fields['productName'], MAX_TEXT_LENGTH.title),
		url: read.address(fields['productUrl']),
	};
	return {
		...checkRecord(pid, { ...fields, aggregate, reviews: undefined, schema: undefined }, read),
		reviews,
		schema: found.length > 0 || aggregate ? stateReviews(reviews, product, publishers) : undefined,
	};
}

/** The same, of everything that a provider says about the reviews of a product. */
export function readProviderData(pid: string, given: unknown, drop: Drop, warn?: Warn): ReviewData {
	const { fields, own, aggregate, isWhole } = readAnswer(pid, given, drop, warn);
	const { distribution, media, questions, questionCount, recommendCount, topics, topicSummaries } = fields;
	const hasMedia = ({ images, videos }: Fields) =>
		[images, videos].some((list) => isList(list) && list.length > 0);
	const stars = distribution ?? (isWhole ? countStars(own) : undefined);
	const summary = { ...aggregate, distribution: stars, recommendCount, topics, topicSummaries };
	const read = new FieldReader(drop);
	// A key takes a while, so none is made of what is left out.
	const upTo = (most: number, list: unknown) => (isList(list) ? read.list(list, (item) => item, most) : list);
	const reviews = (upTo(MOST.fullReviews, own) as Fields[]).map((review) => ({ ...review, pid }));
	const data = {
		pid,
		reviews,
		summary,
		media: upTo(MOST.media, media ?? own.filter(hasMedia)),
		questions: upTo(MOST.questions, questions),
		questionCount,
	};
	return readReviewData(data, drop);
}

/** @throws ReviewPayloadError unless it is a list of ratings. */
export function readProviderRatings(given: unknown) {
	const unreadable = (problem: string) => unusable(`"ratings" of the provider ${problem}.`);
	if (!isList(given)) throw unreadable('returned no array');
	return new Map(
		given.map((item, index) => {
			const { pid, average, count: ratings, questionCount } = fieldsOf(item);
			const id = idOf(pid);
			if (id === undefined) throw unreadable(`names no product at position ${index + 1}`);
			const problem = problemOfAggregate({ average, count: ratings });
			if (problem) throw unreadable(`has an unusable rating of ${nameProduct(id)}: ${problem}`);
			const questions = typeof questionCount === 'number' ? questionCount : undefined;
			return [id, { average: average as number, count: ratings as number, questionCount: questions }];
		}),
	);
}

/** @throws ReviewPayloadError unless it is a page whose reviews name their products. */
export function readProviderPage(given: unknown): ProviderPage {
	const unreadable = (problem: string) => unusable(`"all" of the provider ${problem}.`);
	const { reviews, next } = fieldsOf(given);
	if (!isList(reviews)) throw unreadable('returned a page without an array "reviews"');
	const nameless = reviews.findIndex((review) => !idOf(fieldsOf(review)['pid']));
	if (nameless >= 0) throw unreadable(`has no "pid" in the review at position ${nameless + 1} of a page`);
	if (next !== undefined && next !== null && (typeof next !== 'string' || next === ''))
		throw unreadable('has a "next" that is not a text');
	return { reviews, next } as ProviderPage;
}

function readAnswer(pid: string, given: unknown, drop: Drop, warn: Warn = () => {}) {
	const unreadable = (problem: string) => unusable(`The response of the provider ${problem}.`);
	if (given !== null && (typeof given !== 'object' || isList(given))) throw unreadable('is not an object');
	const fields: Fields = given === null ? { reviews: [] } : fieldsOf(given);
	const named = idOf(fields['pid']);
	if (named !== undefined && named !== pid) throw ofAnother(pid, named);
	if (!isList(fields['reviews'])) throw unreadable('has no array "reviews"');
	const objects = fields['reviews'].filter(
		(item) => typeof item === 'object' && item !== null && !isList(item),
	);
	for (let left = fields['reviews'].length - objects.length; left > 0; left--) drop('part-unreadable');
	const own = (objects as Fields[]).filter((review) => [undefined, pid].includes(idOf(review['pid'])));
	for (let left = objects.length - own.length; left > 0; left--) drop('other-product');
	if (own.length === 0 && objects[0]) throw ofAnother(pid, idOf((objects[0] as Fields)['pid']) ?? '');
	const [first] = own;
	if (
		first &&
		!own.some((review) => KNOWN.some((name) => review[name] !== undefined && review[name] !== null))
	) {
		throw unreadable(
			`has reviews with none of the fields ${listNames(KNOWN)}, but with ${listNames(Object.keys(first)) || 'none at all'}`,
		);
	}
	const strange = strangeFields(own);
	if (strange.length > 0) {
		warn(
			() =>
				`Some reviews of the provider, such as of ${nameProduct(pid)}, have no rating, but fields that are not known: ${listNames(strange)}. What these contain is left out. Use the known fields, such as ${listNames(KNOWN)}. [PR_UNREADABLE_RESPONSE]`,
		);
	}
	const rated = own.filter(({ rating }) => usableRating(rating) !== undefined);
	const odd = own.find(({ rating }) => rating !== undefined && rating !== null && rating !== 0);
	if (odd && rated.length === 0) {
		throw unreadable(`has no rating that is a number from 1 to 5, but ${shown(odd['rating'])}`);
	}
	const counted = aggregateOf(rated.map(({ rating }) => rating as number));
	const aggregate = fieldsOf(fields['aggregate'] ?? counted);
	const problem = problemOfAggregate(aggregate);
	if (problem) throw unreadable(`has an unusable "aggregate": ${problem}`);
	if (aggregate['count'] === 0 && rated.length > 0) {
		throw unreadable(`counts no ratings, but contains ${count(rated.length, 'rated review')}`);
	}
	const isWhole = aggregate['count'] === rated.length;
	return { fields, own, aggregate: aggregate['count'] === 0 ? undefined : aggregate, isWhole };
}

/** Fields of which a review has at least one. */
const KNOWN = ['rating', 'title', 'body', 'author', 'date', 'images', 'videos'] as const;

/** Warns of some answers, since others would say the same. */
type Warn = (describe: () => string) => void;

/** Returns unknown fields of reviews that have no rating, if others have one and not these fields. */
function strangeFields(reviews: readonly Fields[]): readonly string[] {
	const isRated = ({ rating }: Fields) => rating !== undefined;
	const rated = reviews.filter(isRated);
	if (rated.length === 0 || rated.length === reviews.length) return [];
	const usual = new Set<string>([...FIELDS, ...rated.flatMap(Object.keys)]);
	const others = reviews.filter((review) => !isRated(review)).flatMap(Object.keys);
	return [...new Set(others)].filter((name) => !usual.has(name));
}

/** All fields of a review. */
const FIELDS = [
	...KNOWN,
	...(['id', 'pid', 'productName', 'productUrl', 'productImageUrl', 'publisher'] as const),
	...(['city', 'state', 'country'] as const),
	...(['tags', 'customQuestions', 'topics', 'verified', 'pinned', 'testimonial', 'recommends'] as const),
	...(['helpfulCount', 'unhelpfulCount', 'externalSource', 'thumbnails'] as const),
	...(['editedDate', 'language', 'variant', 'incentivized', 'reply'] as const),
] satisfies readonly (keyof ProviderReview)[];

/** Names of fields that are listed in a message. */
const MAX_FIELDS = 10;

function listNames(names: readonly string[]): string {
	return names
		.slice(0, MAX_FIELDS)
		.map((name) => `"${plainLine(name, 40)}"`)
		.join(', ');
}

function readItem(value: unknown, read: FieldReader) {
	const review = readReview(value, read);
	const publisher = read.line(fieldsOf(value)['publisher']);
	return unlessEmpty(review, read) && { review, publisher };
}

/** Says what is wrong with an average and a count; `undefined` if they can be used. */
function problemOfAggregate({ average, count: ratings }: Fields): string | undefined {
	if (!Number.isSafeInteger(ratings) || (ratings as number) < 0) {
		return `"count" is ${shown(ratings)}, not a whole number`;
	}
	if (ratings === 0) return undefined;
	if (usableRating(average) !== undefined) return undefined;
	return `"average" is ${shown(average)}, not a number from 1 to 5`;
}

function countStars(reviews: readonly Fields[]): Readonly<Record<number, number>> {
	const byStars = Map.groupBy(reviews, ({ rating }) => fullStars(usableRating(rating)));
	return Object.fromEntries([...byStars].map(([stars, { length }]) => [stars, length]));
}

export function unusable(problem: string): ReviewPayloadError {
	return new ReviewPayloadError(problem, 'Change what the provider returns.');
}

function ofAnother(pid: string, named: string): ReviewServiceError {
	return new ReviewServiceError(
		`The response of the provider for ${nameProduct(pid)} is about another product, ${nameProduct(named)}.`,
		'Check how the provider finds the reviews of a product.',
		{ kind: 'wrong-product' },
	);
}

function shown(value: unknown): string {
	return typeof value === 'string'
		? `the text "${plainLine(value, 40)}"`
		: plainLine(JSON.stringify(value) ?? 'missing', 40);
}

export function idOf(value: unknown): string | undefined {
	return value === undefined || value === null ? undefined : String(value);
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
