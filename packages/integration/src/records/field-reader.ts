import { toDate } from 'product-reviews-client/records';
import { withoutContactDetails } from '../base/people.js';
import { cleanLine, cleanText } from '../base/words.js';
import { ReviewPayloadError } from '../errors.js';
import { usableRating } from './rating.js';

/** Reads single values of unknown type. Anything that cannot be read becomes `undefined`. */
export class FieldReader {
	/** Tells of a part that is lost. */
	readonly drop: Drop;
	// The reviews of a product share page and image addresses, and an address takes longer to check than the rest of a review.
	readonly #addresses = new Map<string, string | undefined>();

	constructor(drop: Drop) {
		this.drop = drop;
	}

	/** A text on one line, of at most `most` UTF-16 code units. */
	line(value: unknown, most: number = MAX_TEXT_LENGTH.name): string | undefined {
		return typeof value === 'string' ? cleanLine(value, most, this.drop) : this.#missing(value);
	}

	text(value: unknown): string | undefined {
		if (typeof value !== 'string') return this.#missing(value);
		return cleanText(value, MAX_TEXT_LENGTH.body, this.drop);
	}

	/** A line about a person, such as the name, without e-mail addresses and phone numbers. */
	personal(value: unknown, most?: number): string | undefined {
		const line = this.line(value, most);
		const rest = line && withoutContactDetails(line);
		if (rest !== line) this.drop('contact-details-removed');
		return rest;
	}

	rating(value: unknown): number | undefined {
		const rating = usableRating(value);
		// Many platforms write 0 for a review without a rating.
		if (rating === undefined && value !== 0) this.#missing(value, 'rating-unusable');
		return rating;
	}

	count(value: unknown): number | undefined {
		if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
		return this.#missing(value, 'count-unusable');
	}

	date(value: unknown): string | undefined {
		if (typeof value !== 'string') return this.#missing(value);
		const date = toDate(value);
		if (date === undefined && value.trim() !== '') this.drop('date-unreadable');
		return date;
	}

	address(value: unknown): string | undefined {
		if (typeof value !== 'string') return this.#missing(value, 'address-refused');
		if (this.#addresses.size > MAX_ADDRESSES) this.#addresses.clear();
		if (!this.#addresses.has(value)) this.#addresses.set(value, httpUrl(value));
		const address = this.#addresses.get(value);
		if (address === undefined && value.trim() !== '') this.drop('address-refused');
		return address;
	}

	addresses(value: unknown): readonly string[] {
		return this.list(value, (item) => this.address(item));
	}

	/**
	 * The elements of a list, each read by `read`. Elements for which it returns `undefined` are left out, and those beyond
	 * the limit.
	 * @param beyond the reason to tell of each element beyond the limit.
	 */
	list<Item>(
		value: unknown,
		read: (item: unknown, reader: FieldReader) => Item | undefined,
		max: number = MOST.attached,
		beyond: DropReason = 'part-beyond-limit',
	): readonly Item[] {
		if (!Array.isArray(value)) return this.#missing(value) ?? [];
		for (let left = value.length - max; left > 0; left--) this.drop(beyond);
		const items = value.slice(0, max).map((item) => read(item, this));
		return items.filter((item) => item !== undefined);
	}

	/** A missing value is not a loss; a value of the wrong type is. */
	#missing(value: unknown, reason: DropReason = 'part-unreadable'): undefined {
		if (value !== undefined && value !== null) this.drop(reason);
	}
}

const MAX_ADDRESSES = 1_000;

/** The error of an answer that cannot be used. @param part of the answer in which it is. */
export function refusal(problem: string, part: string): ReviewPayloadError {
	return new ReviewPayloadError(problem, `Check what the service sends as ${part} for this product.`);
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Longest html or JSON-LD of one product, in UTF-16 code units. What is longer is an error of that product. */
export const MAX_HALF_LENGTH = 4_194_304;

/** Deepest nesting of elements. Deeper html is an error of that product; the service's has four levels. */
export const MAX_DEPTH = 64;

/** Most elements that parsing the html or the JSON-LD of one product may create. A review has nine. */
export const MAX_ELEMENTS = 250_000;

/** Most items of one product to keep, in the order of the service. */
export const MOST = {
	/** Of the html and the JSON-LD. The aggregate rating counts all of them. */
	reviews: 2_000,
	/** Of review data. */
	fullReviews: 5_000,
	media: 5_000,
	questions: 2_000,
	/** Topics, and topic summaries in one language. */
	topics: 200,
	/** Languages of names and summaries of topics. */
	languages: 100,
	/** Items that belong to one review or question. */
	attached: 50,
} as const;

/** Longest texts to keep, in UTF-16 code units. Longer ones are cut and end in an ellipsis. */
export const MAX_TEXT_LENGTH = { name: 200, title: 500, body: 20_000, url: 2_048 } as const;

/** Reason for which a part of a payload was left out, cut, or taken from the other half of the answer. */
export type DropReason =
	| 'text-unreadable'
	| 'text-cut'
	| 'unseen-characters-removed'
	| 'rating-unusable'
	| 'address-refused'
	| 'date-unreadable'
	| 'review-empty'
	| 'review-beyond-limit'
	| 'review-lists-differ'
	| 'rating-differs'
	| 'structured-data-unreadable'
	| 'html-unreadable'
	| 'part-unreadable'
	| 'part-beyond-limit'
	| 'count-unusable'
	| 'contact-details-removed'
	| 'other-product';

/** Number of parts that a payload lost, by reason. Reasons that did not occur are left out. */
export type DroppedParts = Readonly<Partial<Record<DropReason, number>>>;

export type Drop = (reason: DropReason) => void;

export function createDropCounter() {
	const dropped: Partial<Record<DropReason, number>> = {};
	const drop: Drop = (reason) => {
		dropped[reason] = (dropped[reason] ?? 0) + 1;
	};
	return { drop, dropped };
}

/** An absolute http(s) address without credentials, normalized; `undefined` for anything else. Without a scheme, it is https. */
function httpUrl(value: string): string | undefined {
	const text = value.trim().replace(/^\/\/(?=[^/])/, 'https://');
	if (text.length > MAX_TEXT_LENGTH.url || !/^https?:\/\//i.test(text)) return undefined;
	const url = URL.parse(text);
	if (url?.username !== '' || url.password !== '') return undefined;
	url.pathname = escapeRest(url.pathname);
	url.search = escapeRest(url.search);
	url.hash = escapeRest(url.hash.slice(1));
	// Normalizing may make it longer.
	return url.href.length > MAX_TEXT_LENGTH.url ? undefined : url.href;
}

/** Browsers accept these characters in an address, but html and JSON-LD checkers do not. */
function escapeRest(part: string): string {
	return part.replace(/[[\\\]^`{|}#]|%(?![\da-f]{2})/gi, encodeURIComponent);
}
