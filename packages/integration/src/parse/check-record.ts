import {
	type FieldReader,
	fieldsOf,
	MAX_FULL_REVIEWS,
	MAX_LANGUAGES,
	MAX_MEDIA,
	MAX_QUESTIONS,
	MAX_REVIEWS,
	MAX_TEXT_LENGTH,
	MAX_TOPICS,
} from './field-reader.js';
import type {
	AggregateRating,
	FullReview,
	ProductQuestion,
	ProductReviews,
	Review,
	ReviewData,
	ReviewMediaItem,
	ReviewTopic,
	StatedReview,
	StructuredData,
	TopicSummary,
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
		reviews: read.list(fields['reviews'], (review) => readReview(review, read), MAX_REVIEWS),
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

function checkSchema(value: unknown, read: FieldReader): StructuredData | undefined {
	if (value === undefined || value === null) return undefined;
	const fields = fieldsOf(value);
	return {
		name: read.line(fields['name'], MAX_TEXT_LENGTH.title),
		url: read.address(fields['url']),
		reviews: read.list(fields['reviews'], (review) => readStatedReview(review, read), MAX_REVIEWS),
	};
}

export function readStatedReview(value: unknown, read: FieldReader): StatedReview {
	const fields = fieldsOf(value);
	return {
		author: read.personal(fields['author']),
		rating: read.rating(fields['rating']),
		publisher: read.line(fields['publisher']),
		body: read.text(fields['body']),
		date: read.date(fields['date']),
	};
}

/** Reads the fields that every review has. */
export function readReview(value: unknown, read: FieldReader): Review {
	const fields = fieldsOf(value);
	return {
		productName: read.line(fields['productName']),
		productUrl: read.address(fields['productUrl']),
		author: read.personal(fields['author']),
		rating: read.rating(fields['rating']),
		title: read.line(fields['title'], MAX_TEXT_LENGTH.title),
		body: read.text(fields['body']),
		date: read.date(fields['date']),
	};
}

/**
 * Reads review data from the service or from somewhere that others may write to. An item without a key is left out.
 * @param value parsed review data of this product.
 */
export function checkReviewData(pid: string, value: unknown, read: FieldReader): ReviewData {
	const fields = fieldsOf(value);
	const stars = fieldsOf(fields['distribution']);
	const starCount = (number: number) => read.count(stars[number]) ?? 0;
	const questions = read.list(fields['questions'], (item) => readQuestion(item, read), MAX_QUESTIONS);
	return {
		pid,
		aggregate: checkAggregate(fields['aggregate'], read),
		distribution: { 1: starCount(1), 2: starCount(2), 3: starCount(3), 4: starCount(4), 5: starCount(5) },
		recommendCount: read.count(fields['recommendCount']),
		topics: read.list(fields['topics'], (topic) => readTopic(topic, read), MAX_TOPICS),
		topicSummaries: byLanguage(fields['topicSummaries'], read, (items) => {
			const summaries = read.list(items, (item) => readTopicSummary(item, read), MAX_TOPICS);
			return summaries.length > 0 ? summaries : undefined;
		}),
		reviews: read.list(fields['reviews'], (item) => readFullReview(item, read), MAX_FULL_REVIEWS),
		media: read.list(fields['media'], (item) => readMediaItem(item, read), MAX_MEDIA),
		questions,
		questionCount: Math.max(read.count(fields['questionCount']) ?? 0, questions.length),
	};
}

function readKey({ key }: Readonly<Record<string, unknown>>): string | undefined {
	return typeof key === 'string' && /^[\da-f]{12}(?:-\d{1,6})?$/.test(key) ? key : undefined;
}

/** Reads one review; `undefined` if it has nothing to show. */
function readFullReview(value: unknown, read: FieldReader): FullReview | undefined {
	const fields = fieldsOf(value);
	const key = readKey(fields);
	if (key === undefined) return undefined;
	const review: FullReview = {
		key,
		...readReview(value, read),
		city: read.personal(fields['city']),
		state: read.personal(fields['state']),
		country: read.personal(fields['country']),
		productImageUrl: read.address(fields['productImageUrl']),
		images: read.list(fields['images'], read.address),
		videos: read.list(fields['videos'], read.address),
		tags: read.list(fields['tags'], (tag) => read.line(tag)),
		customQuestions: read.list(fields['customQuestions'], (text) =>
			read.personal(text, MAX_TEXT_LENGTH.title),
		),
		topics: read.list(fields['topics'], (topic) => {
			const { key: given, sentiment } = fieldsOf(topic);
			const topicKey = read.line(given);
			return topicKey === undefined ? undefined : { key: topicKey, sentiment: read.line(sentiment) };
		}),
		verified: fields['verified'] === true,
		pinned: fields['pinned'] === true,
		testimonial: fields['testimonial'] === true,
		recommends: typeof fields['recommends'] === 'boolean' ? fields['recommends'] : undefined,
		helpfulCount: read.count(fields['helpfulCount']) ?? 0,
		unhelpfulCount: read.count(fields['unhelpfulCount']) ?? 0,
		externalSource: read.personal(fields['externalSource']),
	};
	const { rating, title, body, images, videos } = review;
	if (rating !== undefined || title !== undefined || body !== undefined) return review;
	if (images.length + videos.length > 0) return review;
	read.drop('review-empty');
	return undefined;
}

/** Reads the images and videos of one review; `undefined` if there are none. */
function readMediaItem(value: unknown, read: FieldReader): ReviewMediaItem | undefined {
	const fields = fieldsOf(value);
	const key = readKey(fields);
	const images = read.list(fields['images'], read.address);
	const videos = read.list(fields['videos'], read.address);
	if (key === undefined || images.length + videos.length === 0) return undefined;
	const { author, rating, title, body, date } = readReview(value, read);
	return { key, rating, author, title, body, date, images, videos, verified: fields['verified'] === true };
}

/** Reads one question and its answer; `undefined` if there is no question text. */
function readQuestion(value: unknown, read: FieldReader): ProductQuestion | undefined {
	const fields = fieldsOf(value);
	const key = readKey(fields);
	const question = read.text(fields['question']);
	if (key === undefined || question === undefined) return undefined;
	return {
		key,
		question,
		answer: read.text(fields['answer']),
		author: read.personal(fields['author']),
		askedOn: read.date(fields['askedOn']),
		answeredOn: read.date(fields['answeredOn']),
	};
}

function readTopic(value: unknown, read: FieldReader): ReviewTopic | undefined {
	const fields = fieldsOf(value);
	const key = read.line(fields['key']);
	if (key === undefined) return undefined;
	return {
		key,
		names: byLanguage(fields['names'], read, (name) => read.line(name)),
		total: read.count(fields['total']) ?? 0,
		positive: read.count(fields['positive']) ?? 0,
		negative: read.count(fields['negative']) ?? 0,
		neutral: read.count(fields['neutral']) ?? 0,
	};
}

function readTopicSummary(value: unknown, read: FieldReader): TopicSummary | undefined {
	const fields = fieldsOf(value);
	const topic = read.line(fields['topic']);
	const text = read.text(fields['text']);
	return topic === undefined || text === undefined ? undefined : { topic, text };
}

/** Reads values by language, under canonical BCP 47 tags. Any other key is untrusted text, and left out. */
function byLanguage<Value>(
	given: unknown,
	read: FieldReader,
	readValue: (value: unknown) => Value | undefined,
): Record<string, Value> {
	const entries = read.list(
		Object.entries(fieldsOf(given)),
		(entry) => {
			const [key, value] = entry as [string, unknown];
			const language = languageTag(key);
			if (language === undefined) read.drop('part-unreadable');
			const found = language === undefined ? undefined : readValue(value);
			return found === undefined ? undefined : ([language as string, found] as const);
		},
		MAX_LANGUAGES,
	);
	return Object.fromEntries(entries);
}

/** Accepts languages of two or three letters, which covers all living ones, and `_` instead of `-`, as some systems write. */
function languageTag(key: string): string | undefined {
	const tag = key.replaceAll('_', '-');
	if (tag.length > MAX_TEXT_LENGTH.name || !/^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i.test(tag)) return undefined;
	try {
		return Intl.getCanonicalLocales(tag)[0];
	} catch {
		return undefined;
	}
}
