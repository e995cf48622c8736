import {
	type FieldReader,
	fieldsOf,
	MAX_FULL_REVIEWS,
	MAX_MEDIA,
	MAX_QUESTIONS,
	MAX_REVIEWS,
	MAX_TEXT_LENGTH,
	type Steps,
} from './field-reader.js';
import { readFullReview, readMediaItem, readQuestion, readTopics } from './read-review-data.js';
import type {
	AggregateRating,
	DisplayedReview,
	ProductReviews,
	ReviewData,
	StatedReview,
	StructuredData,
} from './record.js';

/**
 * Checks a record that comes from somewhere that others may write to. Every field is read as if the service had sent it.
 * @param value a parsed record of this product.
 */
export function checkRecord(pid: string, value: unknown, read: FieldReader): ProductReviews {
	const fields = fieldsOf(value);
	return {
		pid,
		aggregate: checkAggregate(fields['aggregate'], read),
		heading: read.line(fields['heading'], MAX_TEXT_LENGTH.title),
		blockId: read.line(fields['blockId']),
		handle: read.line(fields['handle']),
		reviews: read.list(fields['reviews'], (review) => checkDisplayed(review, read), MAX_REVIEWS),
		schema: checkSchema(fields['schema'], read),
	};
}

/** An average and a count; `undefined` if one of them is missing or cannot be shown. */
export function checkAggregate(value: unknown, read: FieldReader): AggregateRating | undefined {
	const fields = fieldsOf(value);
	const average = read.rating(fields['average']);
	const count = read.count(fields['count']);
	return average === undefined || !count ? undefined : { count, average };
}

function checkDisplayed(value: unknown, read: FieldReader): DisplayedReview {
	const { author, rating, body, date } = checkStated(value, read);
	const fields = fieldsOf(value);
	return {
		productName: read.line(fields['productName']),
		productUrl: read.address(fields['productUrl']),
		author,
		rating,
		title: read.line(fields['title'], MAX_TEXT_LENGTH.title),
		body,
		date,
	};
}

function checkSchema(value: unknown, read: FieldReader): StructuredData | undefined {
	if (value === undefined || value === null) return undefined;
	const fields = fieldsOf(value);
	return {
		name: read.line(fields['name'], MAX_TEXT_LENGTH.title),
		url: read.address(fields['url']),
		reviews: read.list(fields['reviews'], (review) => checkStated(review, read), MAX_REVIEWS),
	};
}

function checkStated(value: unknown, read: FieldReader): StatedReview {
	const fields = fieldsOf(value);
	return {
		author: read.personal(fields['author']),
		rating: read.rating(fields['rating']),
		publisher: read.line(fields['publisher']),
		body: read.text(fields['body']),
		date: read.date(fields['date']),
	};
}

/**
 * Checks review data that comes from somewhere that others may write to. Every field is read as if the service had sent it;
 * an item without a key is left out.
 * @param value parsed review data of this product.
 */
export function* checkReviewData(pid: string, value: unknown, read: FieldReader): Steps<ReviewData> {
	const fields = fieldsOf(value);
	const stars = fieldsOf(fields['distribution']);
	const starCount = (number: number) => read.count(stars[number]) ?? 0;
	const keyed = <Item>(check: (item: unknown, key: string, read: FieldReader) => Item | undefined) => {
		return (item: unknown) => {
			const { key } = fieldsOf(item);
			return typeof key === 'string' && KEY.test(key) ? check(item, key, read) : undefined;
		};
	};
	const reviews = yield* read.listInSteps(fields['reviews'], keyed(readFullReview), MAX_FULL_REVIEWS);
	const media = yield* read.listInSteps(fields['media'], keyed(readMediaItem), MAX_MEDIA);
	const questions = yield* read.listInSteps(fields['questions'], keyed(readQuestion), MAX_QUESTIONS);
	return {
		pid,
		aggregate: checkAggregate(fields['aggregate'], read),
		distribution: { 1: starCount(1), 2: starCount(2), 3: starCount(3), 4: starCount(4), 5: starCount(5) },
		recommendCount: read.count(fields['recommendCount']),
		...readTopics(fields, read, () => {}),
		reviews,
		media,
		questions,
		questionCount: Math.max(read.count(fields['questionCount']) ?? 0, questions.length),
	};
}

/** As `createKeys` makes them. */
const KEY = /^[\da-f]{12}(?:-\d{1,6})?$/;
