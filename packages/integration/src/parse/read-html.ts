import { toDate } from 'product-reviews-client';
import { ReviewPayloadError } from '../errors.js';
import { cleanLine, cleanText } from '../text/clean-text.js';
import { personalLine } from './contact-details.js';
import type { Drop } from './dropped-parts.js';
import { httpUrl } from './http-url.js';
import { MAX_HTML_LENGTH, MAX_TEXT_LENGTH } from './limits.js';
import { parseHtmlInSteps } from './parse-html.js';
import { usableRating } from './rating.js';
import type { DisplayedReview, ProductReviews } from './record.js';
import type { HtmlParts, ReviewParts } from './review-parts.js';
import { scanHtmlInSteps } from './scan-html.js';
import type { Steps } from './steps.js';

/** The content of one product's html. */
export interface ReadHtml {
	readonly block: Pick<ProductReviews, 'heading' | 'blockId' | 'handle'>;
	readonly reviews: readonly DisplayedReview[];
	/** Number of reviews, including empty ones. */
	readonly found: number;
	/** Whether a text swallowed the reviews after it, as an unclosed comment does. */
	readonly hasSwallowed: boolean;
	/** Why it could not be parsed. */
	readonly failure?: ReviewPayloadError;
}

/**
 * Reads the service's html of one product into records. Only text and http(s) addresses are kept, no markup. Unreadable
 * fields of a review are left out one by one.
 * @param drop called for each part that is lost.
 * @throws ReviewPayloadError if the html is larger than the limit, or is not the service's block.
 */
export function* readHtmlInSteps(html: string, drop: Drop): Steps<ReadHtml> {
	if (html.length > MAX_HTML_LENGTH) {
		throw unreadable(`is ${html.length} characters long; the limit is ${MAX_HTML_LENGTH}`);
	}
	const scanned = yield* scanHtmlInSteps(html);
	const parts = scanned ?? (yield* parse(html));
	if (parts instanceof ReviewPayloadError) return { ...NOTHING, failure: parts };
	const { heading, blockId, handle, reviews, beyondLimit } = parts;
	if (blockId === undefined && handle === undefined && reviews.length === 0 && html.trim() !== '') {
		throw unreadable('contains neither a block nor a review as the service documents them');
	}
	for (let dropped = 0; dropped < beyondLimit; dropped++) drop('review-beyond-limit');
	const readAddress = createAddressReader(drop);
	const read: DisplayedReview[] = [];
	for (const parts of reviews) {
		read.push(...readReview(parts, readAddress, drop));
		yield;
	}
	return {
		block: {
			heading: line(heading, MAX_TEXT_LENGTH.title, drop),
			blockId: line(blockId, MAX_TEXT_LENGTH.name, drop),
			handle: line(handle, MAX_TEXT_LENGTH.name, drop),
		},
		reviews: read,
		found: reviews.length + beyondLimit,
		hasSwallowed: scanned === undefined && html.split(ITEM_CLASS).length - 1 > reviews.length + beyondLimit,
	};
}

const NOTHING: ReadHtml = {
	block: { heading: undefined, blockId: undefined, handle: undefined },
	reviews: [],
	found: 0,
	hasSwallowed: false,
};

/** Occurs once in the source of each review. */
const ITEM_CLASS = 'class="review-item"';

/** A single text that nests or multiplies elements can exceed a limit. The JSON-LD may still be intact. */
function* parse(html: string): Steps<HtmlParts | ReviewPayloadError> {
	try {
		return yield* parseHtmlInSteps(html);
	} catch (error) {
		if (error instanceof ReviewPayloadError) return error;
		throw error;
	}
}

function readReview(
	{ product, link, href, author, rating, title, body, date }: ReviewParts,
	readAddress: (href: string | undefined) => string | undefined,
	drop: Drop,
): DisplayedReview[] {
	const review = {
		productName: line(link, MAX_TEXT_LENGTH.name, drop) ?? line(product, MAX_TEXT_LENGTH.name, drop),
		productUrl: readAddress(href),
		author: personalLine(author, MAX_TEXT_LENGTH.name, drop),
		rating: readRating(line(rating, MAX_TEXT_LENGTH.name, drop), drop),
		title: line(title, MAX_TEXT_LENGTH.title, drop),
		body: body === undefined ? undefined : cleanText(body, MAX_TEXT_LENGTH.body, drop),
		date: readDate(line(date, MAX_TEXT_LENGTH.name, drop), drop),
	};
	// Without any of these, there is nothing to show.
	if (review.rating !== undefined || review.title !== undefined || review.body !== undefined) return [review];
	drop('review-empty');
	return [];
}

/** The reviews of a product link to the same page, and an address takes longer to check than the rest of a review. */
function createAddressReader(drop: Drop): (href: string | undefined) => string | undefined {
	let last: { readonly href?: string | undefined; readonly address?: string | undefined } = {};
	return (href) => {
		if (last.href !== href) last = { href, address: httpUrl(href) };
		if (last.address === undefined && href?.trim()) drop('address-refused');
		return last.address;
	};
}

/** The service writes "Rating: <n>/5", with the word possibly in another language. Negative numbers are not ratings. */
function readRating(text: string | undefined, drop: Drop): number | undefined {
	if (text === undefined) return undefined;
	const match = /(?:^|[^\d.,\-\u2212])(\d{1,2}(?:[.,]\d+)?)\s*\/\s*5$/.exec(text);
	const rating = match ? usableRating(Number(match[1]?.replace(',', '.'))) : undefined;
	if (rating === undefined) drop('rating-unusable');
	return rating;
}

function readDate(text: string | undefined, drop: Drop): string | undefined {
	const date = toDate(text);
	if (date === undefined && text !== undefined) drop('date-unreadable');
	return date;
}

function line(text: string | undefined, most: number, drop: Drop): string | undefined {
	return text === undefined ? undefined : cleanLine(text, most, drop);
}

function unreadable(problem: string): ReviewPayloadError {
	return new ReviewPayloadError(
		`The html of the reviews ${problem}.`,
		'Check what the service sends as "html" for this product.',
	);
}
