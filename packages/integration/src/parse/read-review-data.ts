import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ProductReviewData } from 'product-reviews-client';
import { ReviewPayloadError } from '../errors.js';
import type { Drop } from './dropped-parts.js';
import { createFieldReader, type FieldReader, fieldsOf } from './field-reader.js';
import { MAX_FULL_REVIEWS, MAX_MEDIA, MAX_QUESTIONS } from './limits.js';
import { readFullReview, readMediaItem } from './read-full-review.js';
import { readQuestion } from './read-question.js';
import { readTopics } from './read-topics.js';
import type { FullReview, ProductQuestion, ReviewData, ReviewMediaItem } from './review-data.js';
import { atOnce, type Steps } from './steps.js';

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
