import { type FieldReader, fieldsOf, MAX_TEXT_LENGTH, MOST } from './field-reader.js';
import type { AggregateRating } from './rating.js';

// A record is what its reader returns: only printable text, cut at the limits and never markup, http(s) addresses, and days
// as `YYYY-MM-DD`; and of people only the name, the place and what they wrote.

/** Makes the type of a record from its reader. */
type RecordOf<Reader extends (...given: never) => unknown> = Readonly<NonNullable<ReturnType<Reader>>>;

/** The reviews of one product (operation 3). */
export interface ProductReviews extends RecordOf<typeof checkRecord> {}

/** The structured data of a product, except its aggregate rating. */
export interface StructuredData extends RecordOf<typeof checkSchema> {}

/** One review as stated in the service's structured data. */
export interface StatedReview extends RecordOf<typeof readStatedReview> {}

/** One review, with as much of it as an operation sends: operation 3 the fields of {@link readReview}, operation 2 all. */
export interface Review extends Partial<RecordOf<typeof readFullReview>> {}

/** Everything that the service has about the reviews of one product (operation 2). */
export interface ReviewData extends RecordOf<typeof checkReviewData> {}

/** Images and videos of one review. */
export interface ReviewMediaItem extends RecordOf<typeof readMediaItem> {}

/** A question about the product, and its answer. */
export interface ProductQuestion extends RecordOf<typeof readQuestion> {}

/** A topic of reviews, with how often and in what tone it is mentioned. */
export interface ReviewTopic extends RecordOf<typeof readTopic> {}

/** Summary of what reviews say about a topic, in one language. */
export interface TopicSummary extends RecordOf<typeof readTopicSummary> {}

/**
 * Checks a record that comes from somewhere that others may write to. Every field is read as if the service had sent it.
 * @param value a parsed record of this product.
 */
export function checkRecord(pid: string, value: unknown, read: FieldReader) {
	const fields = fieldsOf(value);
	return {
		pid,
		/** `undefined` if the product has no rating. */
		aggregate: checkAggregate(fields['aggregate'], read),
		/** Heading over the reviews, as sent by the service. */
		heading: read.line(fields['heading'], MAX_TEXT_LENGTH.title),
		/** The service's id of the html block. */
		blockId: read.line(fields['blockId']),
		/** The service's handle of the html block. */
		handle: read.line(fields['handle']),
		reviews: read.list<Review>(fields['reviews'], readReview, MOST.reviews),
		/** `undefined` if the service sent none, as for a product without a published review. */
		schema: checkSchema(fields['schema'], read) as StructuredData | undefined,
	};
}

export function checkAggregate(value: unknown, read: FieldReader): AggregateRating | undefined {
	const fields = fieldsOf(value);
	const average = read.rating(fields['average']);
	const count = read.count(fields['count']);
	return average === undefined || !count ? undefined : { count, average };
}

function checkSchema(value: unknown, read: FieldReader) {
	if (value === undefined || value === null) return undefined;
	const fields = fieldsOf(value);
	return {
		name: read.line(fields['name'], MAX_TEXT_LENGTH.title),
		/** Absolute http(s) address of the product page. */
		url: read.address(fields['url']),
		reviews: read.list<StatedReview>(fields['reviews'], readStatedReview, MOST.reviews),
	};
}

/** The structured data of reviews that came without. Name and address are those of the first review that has them. */
export function stateReviews(
	reviews: readonly Review[],
	{ name, url }: Partial<StructuredData> = {},
	publishers: readonly (string | undefined)[] = [],
): StructuredData {
	return {
		name: name ?? reviews.find(({ productName }) => productName !== undefined)?.productName,
		url: url ?? reviews.find(({ productUrl }) => productUrl !== undefined)?.productUrl,
		reviews: reviews.map((review, index) => stateReview(review, publishers[index])),
	};
}

function stateReview(review: Review, publisher: string | undefined): StatedReview {
	const { author, rating, body, date, editedDate, language } = review;
	return { author, rating, publisher, body, date, editedDate, language };
}

export function readStatedReview(value: unknown, read: FieldReader) {
	const fields = fieldsOf(value);
	return {
		author: read.personal(fields['author']),
		rating: read.rating(fields['rating']),
		/** Organization that published the review. */
		publisher: read.line(fields['publisher']),
		body: read.text(fields['body']),
		/** `YYYY-MM-DD`. */
		date: read.date(fields['date']),
		/** `YYYY-MM-DD`. */
		editedDate: read.date(fields['editedDate']),
		/** BCP 47 tag of the text's language. */
		language: readLanguage(fields['language'], read),
	};
}

/** Reads the fields that every review has. */
export function readReview(value: unknown, read: FieldReader) {
	const fields = fieldsOf(value);
	return {
		productName: read.line(fields['productName']),
		/** Absolute http(s) address of the product page. */
		productUrl: read.address(fields['productUrl']),
		/** According to the option `authorNames`: the full name, the first name or initials. */
		author: read.personal(fields['author']),
		/** Stars, 1 to 5; halves and tenths occur. `undefined` if the service sent no such number. */
		rating: read.rating(fields['rating']),
		title: read.line(fields['title'], MAX_TEXT_LENGTH.title),
		/** May contain line breaks (`\n`). */
		body: read.text(fields['body']),
		/** `YYYY-MM-DD`. */
		date: read.date(fields['date']),
		/** Day of the author's last change, `YYYY-MM-DD`; `undefined` if there was none, or the service does not say. */
		editedDate: read.date(fields['editedDate']),
		/** BCP 47 tag of the text's language; `undefined` if the service does not say. */
		language: readLanguage(fields['language'], read),
		/** Variant of the product that the author bought, such as a size. */
		variant: read.line(fields['variant']),
		/** `true` if the author received something for the review. */
		incentivized: fields['incentivized'] === true || undefined,
		/** The merchant's answer. */
		reply: readReply(fields['reply'], read),
	};
}

function readReply(value: unknown, read: FieldReader) {
	const fields = fieldsOf(value);
	const text = read.text(fields['text']);
	if (text === undefined) return undefined;
	return {
		/** May contain line breaks (`\n`). */
		text,
		/** The shop, or who answers for it. */
		author: read.personal(fields['author']),
		/** `YYYY-MM-DD`. */
		date: read.date(fields['date']),
	};
}

function readLanguage(value: unknown, read: FieldReader): string | undefined {
	const text = read.line(value);
	const language = text && languageTag(text);
	if (text && !language) read.drop('part-unreadable');
	return language || undefined;
}

/** Leaves out a review that says nothing. */
export function unlessEmpty<Given extends RecordOf<typeof readReview>>(
	review: Given,
	{ drop }: FieldReader,
): Given | undefined {
	const { rating, title, body } = review;
	if (rating !== undefined || title !== undefined || body !== undefined) return review;
	drop('review-empty');
	return undefined;
}

/**
 * Reads review data from the service or from somewhere that others may write to. An item without a key is left out.
 * @param value parsed review data of this product.
 */
export function checkReviewData(pid: string, value: unknown, read: FieldReader) {
	const fields = fieldsOf(value);
	const stars = fieldsOf(fields['distribution']);
	const starCount = (number: number) => read.count(stars[number]) ?? 0;
	const questions = read.list<ProductQuestion>(fields['questions'], readQuestion, MOST.questions);
	return {
		pid,
		/** `undefined` if the product has no rating. */
		aggregate: checkAggregate(fields['aggregate'], read),
		/** Number of reviews, by stars. */
		distribution: { 1: starCount(1), 2: starCount(2), 3: starCount(3), 4: starCount(4), 5: starCount(5) },
		/** Number of reviewers who recommend the product. */
		recommendCount: read.count(fields['recommendCount']),
		topics: read.list<ReviewTopic>(fields['topics'], readTopic, MOST.topics),
		/** Summaries of what reviews say about topics, by the BCP 47 tag of the text's language. */
		topicSummaries: byLanguage(fields['topicSummaries'], read, (items) => {
			const summaries = read.list<TopicSummary>(items, readTopicSummary, MOST.topics);
			return summaries.length > 0 ? summaries : undefined;
		}),
		/** In the service's order. */
		reviews: read.list<Required<Review>>(fields['reviews'], readFullReview, MOST.fullReviews),
		media: read.list<ReviewMediaItem>(fields['media'], readMediaItem, MOST.media),
		questions,
		/** May be more than the length of `questions`. */
		questionCount: Math.max(read.count(fields['questionCount']) ?? 0, questions.length),
	};
}

function readKey({ key }: Readonly<Record<string, unknown>>): string | undefined {
	return typeof key === 'string' && /^[\da-f]{12}(?:-\d{1,6})?$/.test(key) ? key : undefined;
}

/** Reads one review with all of its fields; `undefined` if it has nothing to show. */
function readFullReview(value: unknown, read: FieldReader) {
	const fields = fieldsOf(value);
	const key = readKey(fields);
	if (key === undefined) return undefined;
	const review = {
		/** Unique among the reviews of the product, for use in anchors and the like. Not the id of a person. */
		key,
		...readReview(value, read),
		city: read.personal(fields['city']),
		state: read.personal(fields['state']),
		country: read.personal(fields['country']),
		/** Absolute http(s) address. */
		productImageUrl: read.address(fields['productImageUrl']),
		/** Absolute http(s) addresses. */
		images: read.addresses(fields['images']),
		/** Smaller copies of images, by the address of the image. */
		thumbnails: readThumbnails(fields['thumbnails'], read),
		/** Absolute http(s) addresses. */
		videos: read.addresses(fields['videos']),
		tags: read.list(fields['tags'], (tag) => read.line(tag)),
		/** The merchant's questions with their answers, one text each. */
		customQuestions: read.list(fields['customQuestions'], (text) =>
			read.personal(text, MAX_TEXT_LENGTH.title),
		),
		topics: read.list(fields['topics'], (topic) => {
			const { key: given, sentiment } = fieldsOf(topic);
			const topicKey = read.line(given);
			return topicKey === undefined ? undefined : { key: topicKey, sentiment: read.line(sentiment) };
		}),
		/** `true` if the author bought the product. */
		verified: fields['verified'] === true,
		/** `true` if the merchant pinned it to the top. */
		pinned: fields['pinned'] === true,
		/** `true` if the merchant shows it as a testimonial. */
		testimonial: fields['testimonial'] === true,
		/** `true` if the author recommends the product; `undefined` if the service does not say. */
		recommends: typeof fields['recommends'] === 'boolean' ? fields['recommends'] : undefined,
		helpfulCount: read.count(fields['helpfulCount']) ?? 0,
		unhelpfulCount: read.count(fields['unhelpfulCount']) ?? 0,
		/** Source that the review was imported from. */
		externalSource: read.personal(fields['externalSource']),
	};
	return review.images.length + review.videos.length > 0 ? review : unlessEmpty(review, read);
}

function readMediaItem(value: unknown, read: FieldReader) {
	const fields = fieldsOf(value);
	const key = readKey(fields);
	const images = read.addresses(fields['images']);
	const videos = read.addresses(fields['videos']);
	if (key === undefined || images.length + videos.length === 0) return undefined;
	const { author, rating, title, body, date, language } = readReview(value, read);
	const thumbnails = readThumbnails(fields['thumbnails'], read);
	const verified = fields['verified'] === true;
	return { key, rating, author, title, body, date, language, images, thumbnails, videos, verified };
}

function readThumbnails(value: unknown, read: FieldReader): Readonly<Record<string, string>> | undefined {
	const pairs = read.list(Object.entries(fieldsOf(value)), (pair) => {
		const [image, thumbnail] = (pair as [string, unknown]).map((address) => read.address(address));
		return image !== undefined && thumbnail !== undefined ? ([image, thumbnail] as const) : undefined;
	});
	return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

function readQuestion(value: unknown, read: FieldReader) {
	const fields = fieldsOf(value);
	const key = readKey(fields);
	const question = read.text(fields['question']);
	if (key === undefined || question === undefined) return undefined;
	return {
		key,
		question,
		answer: read.text(fields['answer']),
		/** According to the option `authorNames`. */
		author: read.personal(fields['author']),
		/** `YYYY-MM-DD`. */
		askedOn: read.date(fields['askedOn']),
		/** `YYYY-MM-DD`. */
		answeredOn: read.date(fields['answeredOn']),
	};
}

function readTopic(value: unknown, read: FieldReader) {
	const fields = fieldsOf(value);
	const key = read.line(fields['key']);
	if (key === undefined) return undefined;
	return {
		/** Identifies the topic; shown to people if there is no name. */
		key,
		/** Its name by BCP 47 tag. */
		names: byLanguage(fields['names'], read, (name) => read.line(name)),
		total: read.count(fields['total']) ?? 0,
		positive: read.count(fields['positive']) ?? 0,
		negative: read.count(fields['negative']) ?? 0,
		neutral: read.count(fields['neutral']) ?? 0,
	};
}

function readTopicSummary(value: unknown, read: FieldReader) {
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
): Readonly<Record<string, Value>> {
	const entries = read.list(
		Object.entries(fieldsOf(given)),
		(entry) => {
			const [key, value] = entry as [string, unknown];
			const language = languageTag(key);
			if (language === undefined) read.drop('part-unreadable');
			const found = language === undefined ? undefined : readValue(value);
			return found === undefined ? undefined : ([language as string, found] as const);
		},
		MOST.languages,
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

/** A record as the cache keeps it, at about half its size: what html and structured data have in common is stored once. */
export type CondensedRecord = ReturnType<typeof condenseRecord>;

const SAME_FIELDS = ['author', 'rating', 'body', 'date', 'editedDate', 'language'] as const;

export function condenseRecord({ schema, ...record }: ProductReviews) {
	const reviews = schema?.reviews.map((stated, index) => {
		const shown = record.reviews[index];
		const isSame = shown && SAME_FIELDS.every((field) => stated[field] === shown[field]);
		return isSame ? ({ same: true, publisher: stated.publisher } as const) : stated;
	});
	return { ...record, schema: schema && { ...schema, reviews: reviews ?? [] } };
}

export function restoreRecord(condensed: CondensedRecord): ProductReviews {
	const { schema, ...record } = condensed;
	if (!schema) return condensed as CondensedRecord & { readonly schema: undefined };
	const reviews = schema.reviews.map((stated, index) =>
		'same' in stated ? stateReview(record.reviews[index] as Review, stated.publisher) : stated,
	);
	return { ...record, schema: { ...schema, reviews } };
}
