import { type FieldReader, fieldsOf } from './field-reader.js';
import { MAX_REVIEWS, MAX_TEXT_LENGTH } from './limits.js';
import type {
	AggregateRating,
	DisplayedReview,
	ProductReviews,
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
