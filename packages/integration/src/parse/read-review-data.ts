import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ProductReviewData } from 'product-reviews-client';
import { ReviewPayloadError } from '../errors.js';
import {
	atOnce,
	createFieldReader,
	type Drop,
	type FieldReader,
	fieldsOf,
	MAX_FULL_REVIEWS,
	MAX_LANGUAGES,
	MAX_MEDIA,
	MAX_QUESTIONS,
	MAX_TEXT_LENGTH,
	MAX_TOPICS,
	type Steps,
} from './field-reader.js';
import type {
	FullReview,
	ProductQuestion,
	ReviewData,
	ReviewMediaItem,
	ReviewTopic,
	TopicSummary,
} from './record.js';

/**
 * Reads an answer of operation 2 into a checked record. Only the fields of {@link ReviewData} are kept, without e-mail
 * addresses, phone numbers or ids of people; ids of reviews become keys. Contact details are also removed from names, places
 * and answers to the merchant's questions. Titles, bodies, questions and answers are kept as published.
 *
 * Reviews, images and questions of other products are left out, so a page never shows them as this product's. A question or
 * an image that names no product is assumed to belong to this one.
 * @param drop called for each part that is lost.
 * @throws ReviewPayloadError if the answer cannot be used at all. It must not replace a good payload.
 */
export function readReviewData(data: ProductReviewData, drop: Drop = () => {}): ReviewData {
	return atOnce(readReviewDataInSteps(data, drop));
}

/** {@link readReviewData} in {@link Steps}. */
export function* readReviewDataInSteps(data: ProductReviewData, drop: Drop = () => {}): Steps<ReviewData> {
	const {
		pid,
		reviews: given,
		summary,
		media,
		questions: asked,
		questionCount,
		unreadableReviews,
	} = fieldsOf(data);
	if (typeof pid !== 'string') throw unusable('names no product', 'pid');
	if (!Array.isArray(given)) throw unusable('contains no list of reviews', 'data');
	const read = createFieldReader(drop);
	const unreadable = Math.min(read.count(unreadableReviews) ?? 0, MAX_FULL_REVIEWS);
	for (let left = unreadable; left > 0; left--) drop('part-unreadable');
	/** Leaves out items of other products. */
	const own = (items: unknown, isOwn: (fields: Readonly<Record<string, unknown>>) => boolean): unknown => {
		if (!Array.isArray(items)) return items;
		return items.filter((item) => {
			const kept = isOwn(fieldsOf(item));
			if (!kept) drop('other-product');
			return kept;
		});
	};
	const ownReviews = own(given, (review) => isSame(review['pid'], pid)) as unknown[];
	const counts = readCounts(summary, pid, read, drop);
	if (ownReviews.length === 0 && given.length > 0 && counts.aggregate !== undefined) {
		throw unusable('counts ratings of this product, but contains only reviews of other products', 'data');
	}
	const [reviewKey, mediaKey, questionKey] = [createKeys(pid), createKeys(pid), createKeys(pid)];
	const questions: ProductQuestion[] = yield* read.listInSteps(
		own(asked, ({ products }) => isAbout(products, pid)),
		(question) => readQuestion(question, questionKey(fieldsOf(question)['id']), read),
		MAX_QUESTIONS,
	);
	return {
		pid,
		...counts,
		reviews: (yield* read.listInSteps(
			ownReviews,
			(value) => {
				const review = readFullReview(value, reviewKey(fieldsOf(value)['id']), read);
				if (review === undefined) drop('review-empty');
				return review;
			},
			MAX_FULL_REVIEWS,
		)) satisfies FullReview[],
		media: (yield* read.listInSteps(
			own(media, ({ source }) => {
				const { pid: named } = fieldsOf(source);
				return named === undefined || named === null || isSame(named, pid);
			}),
			(item) => readMediaItem(item, mediaKey(fieldsOf(item)['id']), read),
			MAX_MEDIA,
		)) satisfies ReviewMediaItem[],
		questions,
		questionCount: Math.max(read.count(questionCount) ?? 0, questions.length),
	};
}

/** The service's counts over all reviews. Counts of another product are ignored. */
function readCounts(
	given: unknown,
	pid: string,
	read: FieldReader,
	drop: Drop,
): Pick<ReviewData, 'aggregate' | 'distribution' | 'recommendCount' | 'topics' | 'topicSummaries'> {
	const { pid: named } = fieldsOf(fieldsOf(given)['source']);
	const isOther = named !== undefined && named !== null && !isSame(named, pid);
	if (isOther) drop('other-product');
	const fields = isOther ? {} : fieldsOf(given);
	const stars = fieldsOf(fields['distribution']);
	const starCount = (number: number) => read.count(stars[number]) ?? 0;
	const count = read.count(fields['count']) ?? 0;
	const average = count > 0 ? read.rating(fields['average']) : undefined;
	return {
		aggregate: average === undefined ? undefined : { count, average },
		distribution: { 1: starCount(1), 2: starCount(2), 3: starCount(3), 4: starCount(4), 5: starCount(5) },
		recommendCount: read.count(fields['recommendCount']),
		...readTopics(fields, read, drop),
	};
}

/** Whether a question is about this product. One that names no product is. */
function isAbout(products: unknown, pid: string): boolean {
	if (!Array.isArray(products) || products.length === 0) return true;
	return products.some((product) => isSame(fieldsOf(product)['pid'], pid));
}

/** The client sends ids as well-formed text, so the service answers with that. */
function isSame(named: unknown, pid: string): boolean {
	return typeof named === 'string' && named.toWellFormed() === pid.toWellFormed();
}

function unusable(problem: string, field: string): ReviewPayloadError {
	return new ReviewPayloadError(
		`The review data ${problem}.`,
		`Check what the service sends as "${field}" for this product.`,
	);
}

/** Length of a key, enough to avoid collisions among the reviews of one product. */
const LENGTH = 12;

/**
 * Returns a function that replaces the service's ids with short keys. The same id of the same product has the same key in
 * every build, and the id cannot be read from the key. If an id occurs again, its key gets a number.
 */
function createKeys(pid: string): (id: unknown) => string {
	const seen = new Map<string, number>();
	return (id) => {
		const text = JSON.stringify([pid, typeof id === 'string' ? id : '']);
		const key = bytesToHex(sha256(utf8ToBytes(text))).slice(0, LENGTH);
		const count = (seen.get(key) ?? 0) + 1;
		seen.set(key, count);
		return count === 1 ? key : `${key}-${count}`;
	};
}

/** The text of each part of a review, as in the html. If a part occurs more than once, the first counts. */
export interface ReviewParts {
	/** Text of the part that contains the product's link. */
	product: string | undefined;
	/** Text of the link. */
	link: string | undefined;
	/** Address of the link. */
	href: string | undefined;
	author: string | undefined;
	rating: string | undefined;
	title: string | undefined;
	body: string | undefined;
	date: string | undefined;
}

/** A part with its own element, and so its own class. */
export type PartName = Exclude<keyof ReviewParts, 'href'>;

/** The parts of one product's html, unchecked. */
export interface HtmlParts {
	readonly heading: string | undefined;
	readonly blockId: string | undefined;
	readonly handle: string | undefined;
	readonly reviews: readonly Readonly<ReviewParts>[];
	/** Number of reviews beyond the limit. */
	readonly beyondLimit: number;
}

const PART_NAMES: ReadonlyMap<string, PartName> = new Map([
	['review-product', 'product'],
	['review-product-link', 'link'],
	['review-author', 'author'],
	['review-rating', 'rating'],
	['review-title', 'title'],
	['review-body', 'body'],
	['review-date', 'date'],
]);

/** The part of a review with this class. */
export function partOf(className: string): PartName | undefined {
	return PART_NAMES.get(className);
}

/** A review without any parts. */
export function noParts(): ReviewParts {
	return {
		product: undefined,
		link: undefined,
		href: undefined,
		author: undefined,
		rating: undefined,
		title: undefined,
		body: undefined,
		date: undefined,
	};
}

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

/** Reads one question and its answer; `undefined` if there is no question text. */
export function readQuestion(value: unknown, key: string, read: FieldReader): ProductQuestion | undefined {
	const fields = fieldsOf(value);
	const question = read.text(fields['question']);
	if (question === undefined) return undefined;
	return {
		key,
		question,
		answer: read.text(fields['answer']),
		author: read.personal(fields['author']),
		askedOn: read.date(fields['askedOn']),
		answeredOn: read.date(fields['answeredOn']),
	};
}

/** Reads the topics of reviews from the counts over all reviews of a product. */
export function readTopics(
	summary: unknown,
	read: FieldReader,
	drop: Drop,
): Pick<ReviewData, 'topics' | 'topicSummaries'> {
	const { topics, topicSummaries } = fieldsOf(summary);
	const readSummary = (value: unknown): TopicSummary | undefined => {
		const fields = fieldsOf(value);
		const topic = read.line(fields['topic']);
		const text = read.text(fields['text']);
		return topic === undefined || text === undefined ? undefined : { topic, text };
	};
	return {
		topics: read.list(topics, (topic) => readMention(topic, read, drop), MAX_TOPICS),
		topicSummaries: byLanguage(topicSummaries, drop, (items) => {
			const summaries = read.list(items, readSummary, MAX_TOPICS);
			return summaries.length > 0 ? summaries : undefined;
		}),
	};
}

function readMention(value: unknown, read: FieldReader, drop: Drop): ReviewTopic | undefined {
	const fields = fieldsOf(value);
	const key = read.line(fields['key']);
	if (key === undefined) return undefined;
	return {
		key,
		names: byLanguage(fields['names'], drop, (name) => read.line(name)),
		total: read.count(fields['total']) ?? 0,
		positive: read.count(fields['positive']) ?? 0,
		negative: read.count(fields['negative']) ?? 0,
		neutral: read.count(fields['neutral']) ?? 0,
	};
}

/** Values by language, under canonical BCP 47 tags. Any other key is untrusted text, and left out. */
function byLanguage<Value>(
	given: unknown,
	drop: Drop,
	read: (value: unknown) => Value | undefined,
): Record<string, Value> {
	const entries = Object.entries(fieldsOf(given));
	for (let beyond = entries.length - MAX_LANGUAGES; beyond > 0; beyond--) drop('part-beyond-limit');
	const kept = entries.slice(0, MAX_LANGUAGES).flatMap(([key, value]) => {
		const language = languageTag(key);
		if (language === undefined) drop('part-unreadable');
		const found = language === undefined ? undefined : read(value);
		return found === undefined ? [] : [[language as string, found] as const];
	});
	return Object.fromEntries(kept);
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
