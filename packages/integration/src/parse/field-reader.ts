import { toDate } from 'product-reviews-client';
import { cleanLine, cleanText } from '../text/clean-text.js';
import { personalLine } from './contact-details.js';
import type { Drop } from './dropped-parts.js';
import { httpUrl } from './http-url.js';
import { MAX_ATTACHED, MAX_TEXT_LENGTH } from './limits.js';
import { usableRating } from './rating.js';
import { atOnce, type Steps } from './steps.js';

/** Reads single values of unknown type. Anything that cannot be read becomes `undefined`. */
export interface FieldReader {
	/** A text on one line, of at most `most` UTF-16 code units. @default the length of a name */
	line(value: unknown, most?: number): string | undefined;
	/** A text that may have line breaks, up to the length of a review's body. */
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
	/** The elements of a list, each read by `read`. Elements for which it returns `undefined` are left out. */
	list<Item>(value: unknown, read: (item: unknown) => Item | undefined, most?: number): Item[];
	/** {@link FieldReader.list} for a long list, with a pause after each element. */
	listInSteps<Item>(value: unknown, read: (item: unknown) => Item | undefined, most: number): Steps<Item[]>;
}

/** @param drop called for each part that is lost. */
export function createFieldReader(drop: Drop): FieldReader {
	/** A missing value is not a loss; a value of the wrong type is. */
	const missing = (value: unknown): undefined => {
		if (value !== undefined && value !== null) drop('part-unreadable');
		return undefined;
	};
	// The reviews of a product share page and image addresses, and an address takes longer to check than the rest of a review.
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

/** Addresses to remember for one answer. */
const MAX_ADDRESSES = 1_000;

/** The fields of an object; none for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
