import type { FieldReader } from './field-reader.js';
import { fieldsOf } from './field-reader.js';
import { MAX_TEXT_LENGTH } from './limits.js';
import type { FullReview, ReviewMediaItem } from './review-data.js';

/** Reads one review; `undefined` if it has nothing to show. */
export function readFullReview(value: unknown, key: string, read: FieldReader): FullReview | undefined {
	const fields = fieldsOf(value);
	const review: FullReview = {
		...readShared(value, key, read),
		city: read.personal(fields['city']),
		state: read.personal(fields['state']),
		country: read.personal(fields['country']),
		productName: read.line(fields['productName']),
		productUrl: read.address(fields['productUrl']),
		productImageUrl: read.address(fields['productImageUrl']),
		tags: read.list(fields['tags'], (tag) => read.line(tag)),
		customQuestions: read.list(fields['customQuestions'], (text) =>
			read.personal(text, MAX_TEXT_LENGTH.title),
		),
		topics: read.list(fields['topics'], (topic) => readTopic(topic, read)),
		pinned: fields['pinned'] === true,
		testimonial: fields['testimonial'] === true,
		recommends: typeof fields['recommends'] === 'boolean' ? fields['recommends'] : undefined,
		helpfulCount: read.count(fields['helpfulCount']) ?? 0,
		unhelpfulCount: read.count(fields['unhelpfulCount']) ?? 0,
		externalSource: read.personal(fields['externalSource']),
	};
	return saysSomething(review) ? review : undefined;
}

/** Reads the images and videos of one review; `undefined` if there are none. */
export function readMediaItem(value: unknown, key: string, read: FieldReader): ReviewMediaItem | undefined {
	const item = readShared(value, key, read);
	return item.images.length + item.videos.length > 0 ? item : undefined;
}

function readShared(value: unknown, key: string, read: FieldReader): ReviewMediaItem {
	const fields = fieldsOf(value);
	return {
		key,
		rating: read.rating(fields['rating']),
		author: read.personal(fields['author']),
		title: read.line(fields['title'], MAX_TEXT_LENGTH.title),
		body: read.text(fields['body']),
		date: read.date(fields['date']),
		images: read.list(fields['images'], read.address),
		videos: read.list(fields['videos'], read.address),
		verified: fields['verified'] === true,
	};
}

function readTopic(value: unknown, read: FieldReader) {
	const { key: given, sentiment } = fieldsOf(value);
	const key = read.line(given);
	return key === undefined ? undefined : { key, sentiment: read.line(sentiment) };
}

function saysSomething({ rating, title, body, images, videos }: FullReview): boolean {
	return (
		rating !== undefined || title !== undefined || body !== undefined || images.length + videos.length > 0
	);
}
