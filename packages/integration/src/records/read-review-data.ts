import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Drop, FieldReader, fieldsOf, MOST, refusal } from './field-reader.js';
import { checkReviewData, type ReviewData } from './record.js';

/**
 * Reads an answer with everything about the reviews of a product into a checked record: one of the client's, or of the same
 * form. Only the fields of {@link ReviewData} are kept, without e-mail addresses, phone numbers or ids of people; ids of reviews
 * become keys. Contact details are also removed from names, places and answers to the merchant's questions. Titles, bodies,
 * questions and answers are kept as published.
 *
 * Reviews, images and questions of other products are left out, so a page never shows them as this product's. A question or
 * an image that names no product is assumed to belong to this one.
 * @param drop called for each part that is lost.
 * @throws ReviewPayloadError if the answer cannot be used at all. It must not replace a good payload.
 */
export function readReviewData(data: unknown, drop: Drop = () => {}): ReviewData {
	const { pid, reviews, summary, media, questions, questionCount, unreadableReviews } = fieldsOf(data);
	if (typeof pid !== 'string') throw refusal('The review data names no product.', 'review data');
	if (!Array.isArray(reviews)) throw refusal('The review data contains no list of reviews.', 'review data');
	const read = new FieldReader(drop);
	const unreadable = Math.min(read.count(unreadableReviews) ?? 0, MOST.fullReviews);
	for (let left = unreadable; left > 0; left--) drop('part-unreadable');
	const ownReviews = ownItems(reviews, pid, drop, (review) => isSame(review['pid'], pid)) as unknown[];
	const isOther = !isOwnSource(fieldsOf(summary), pid);
	if (isOther) drop('other-product');
	const { count, average, ...counts } = isOther ? {} : fieldsOf(summary);
	const aggregate = read.count(count) ? { count, average } : undefined;
	if (ownReviews.length === 0 && reviews.length > 0 && aggregate) {
		const problem = 'counts ratings of this product, but contains only reviews of other products';
		throw refusal(`The review data ${problem}.`, 'review data');
	}
	const record = {
		...counts,
		aggregate,
		reviews: ownReviews,
		media: ownItems(media, pid, drop, (item) => isOwnSource(item, pid)),
		questions: ownItems(questions, pid, drop, ({ products }) => {
			if (!Array.isArray(products) || products.length === 0) return true;
			return products.some((product) => isSame(fieldsOf(product)['pid'], pid));
		}),
		questionCount,
	};
	return checkReviewData(pid, record, read);
}

/** Leaves out items of other products, and replaces the ids of the others with keys. */
function ownItems(
	items: unknown,
	pid: string,
	drop: Drop,
	isOwn: (fields: Readonly<Record<string, unknown>>) => boolean,
): unknown {
	if (!Array.isArray(items)) return items;
	const keyOf = createKeys(pid);
	return items.flatMap((item) => {
		const fields = fieldsOf(item);
		if (isOwn(fields)) return [{ ...fields, key: keyOf(fields['id']) }];
		drop('other-product');
		return [];
	});
}

/** Returns whether the service's own item is about this product, or names none. */
function isOwnSource({ source }: Readonly<Record<string, unknown>>, pid: string): boolean {
	const { pid: named } = fieldsOf(source);
	return named === undefined || named === null || isSame(named, pid);
}

/** The client sends ids as well-formed text, so the service answers with that. */
function isSame(named: unknown, pid: string): boolean {
	return typeof named === 'string' && named.toWellFormed() === pid.toWellFormed();
}

/**
 * Returns a function that replaces the service's ids with short keys. The same id of the same product has the same key in
 * every build, and the id cannot be read from the key. If an id occurs again, its key gets a number.
 */
function createKeys(pid: string): (id: unknown) => string {
	const seen = new Map<string, number>();
	return (id) => {
		const text = JSON.stringify([pid, typeof id === 'string' || typeof id === 'number' ? String(id) : '']);
		const key = bytesToHex(sha256(utf8ToBytes(text))).slice(0, 12);
		const count = (seen.get(key) ?? 0) + 1;
		seen.set(key, count);
		return count === 1 ? key : `${key}-${count}`;
	};
}
