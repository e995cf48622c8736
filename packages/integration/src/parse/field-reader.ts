import { toDate } from 'product-reviews-client';
import { cleanLine, cleanText } from '../text/clean-text.js';
import { personalLine } from './contact-details.js';
import type { Drop } from './dropped-parts.js';
import { httpUrl } from './http-url.js';
import { MAX_ATTACHED, MAX_TEXT_LENGTH } from './limits.js';
import { usableRating } from './rating.js';
import { atOnce, type Steps } from './steps.js';

/** Reads single values of which nothing is known, not even their type. What cannot be read is `undefined`. */
export interface FieldReader {
	/** A text on one line, of at most so many UTF-16 code units. @default as long as a name */
	line(value: unknown, most?: number): string | undefined;
	/** A text that may have line breaks, as long as the body of a review. */
	text(value: unknown): string | undefined;
	/** A line about a person, such as the name, without e-mail addresses and phone numbers. */
	personal(value: unknown, most?: number): string | undefined;
	/** Stars, 1 to 5. */
	rating(value: unknown): number | undefined;
	/** A whole number, 0 or more. */
	count(value: unknown): number | undefined;
	/** `YYYY-MM-DD`. */
	date(value: unknown): string | undefined;
	/** An absolute http(s) address. */
	address(value: unknown): string | undefined;
	/** What `read` makes of the elements of a list, without those of which it makes nothing. */
	list<Item>(value: unknown, read: (item: unknown) => Item | undefined, most?: number): Item[];
	/** The same of a long list, which can be put down in between. */
	listInSteps<Item>(value: unknown, read: (item: unknown) => Item | undefined, most: number): Steps<Item[]>;
}

/** @param drop is told of each part that is lost. */
export function createFieldReader(drop: Drop): FieldReader {
	/** What is not there is no loss; what is there in another type is one. */
	const missing = (value: unknown): undefined => {
		if (value !== undefined && value !== null) drop('part-unreadable');
		return undefined;
	};
	// Reviews of a product name the same page and picture, and an address takes longer to check than the rest of a review.
	const addresses = new Map<string, string | undefined>();
	function* listInSteps<Item>(
		value: unknown,
		read: (item: unknown) => Item | undefined,
		most: number,
	): Steps<Item[]> {
		if (!Array.isArray(value)) return missing(value) ?? [];
		for (let beyond = value.length - most; beyond > 0; beyond--) drop('part-beyond-limit');
		const items: Item[] = [];
		for (const given of value.slice(0, most)) {
			const item = read(given);
			if (item !== undefined) items.push(item);
			yield;
		}
		return items;
	}
	return {
		listInSteps,
		line: (value, most = MAX_TEXT_LENGTH.name) =>
			typeof value === 'string' ? cleanLine(value, most, drop) : missing(value),
		text: (value) =>
			typeof value === 'string' ? cleanText(value, MAX_TEXT_LENGTH.body, drop) : missing(value),
		personal: (value, most = MAX_TEXT_LENGTH.name) =>
			typeof value === 'string' ? personalLine(value, most, drop) : missing(value),
		rating(value) {
			if (typeof value !== 'number') return missing(value);
			const rating = usableRating(value);
			if (rating === undefined) drop('rating-unusable');
			return rating;
		},
		count(value) {
			if (value === undefined || value === null) return undefined;
			if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
			drop('count-unusable');
			return undefined;
		},
		date(value) {
			if (typeof value !== 'string') return missing(value);
			const date = toDate(value);
			if (date === undefined && value.trim() !== '') drop('date-unreadable');
			return date;
		},
		address(value) {
			if (typeof value !== 'string') return missing(value);
			if (addresses.size > MAX_ADDRESSES) addresses.clear();
			if (!addresses.has(value)) addresses.set(value, httpUrl(value));
			const address = addresses.get(value);
			if (address === undefined && value.trim() !== '') drop('address-refused');
			return address;
		},
		list: (value, read, most = MAX_ATTACHED) => atOnce(listInSteps(value, read, most)),
	};
}

/** Addresses of one answer that are remembered. */
const MAX_ADDRESSES = 1_000;

/** The fields of a value that is to be an object; of any other value, none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
