import { toDate } from 'product-reviews-client';
import { ReviewPayloadError } from '../errors.js';
import { cleanLine, cleanText } from '../text/words.js';
import {
	atOnce,
	type Drop,
	httpUrl,
	MAX_HTML_LENGTH,
	MAX_REVIEWS,
	MAX_TEXT_LENGTH,
	personalLine,
	type Steps,
} from './field-reader.js';
import { attribute, classes, type Element, parseMarkup, textOf, walkElements } from './parse-markup.js';
import { type HtmlParts, noParts, partOf, type ReviewParts } from './read-review-data.js';
import { type DisplayedReview, type ProductReviews, usableRating } from './record.js';

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

/**
 * Finds the parts of the service's html as a browser would see them, whatever the markup.
 * @throws ReviewPayloadError if the html has too many elements, or nests them too deeply.
 */
export function parseHtml(html: string): HtmlParts {
	return atOnce(parseHtmlInSteps(html));
}

/** {@link parseHtml} in {@link Steps}. */
function* parseHtmlInSteps(html: string): Steps<HtmlParts> {
	let wrapper: Element | undefined;
	let heading: string | undefined;
	let beyondLimit = 0;
	const items: Element[] = [];
	const fragment = yield* parseMarkup(html, 'The html of the reviews');
	walkElements(fragment, (element) => {
		if (classes(element).includes('review-item')) {
			if (items.length < MAX_REVIEWS) items.push(element);
			else beyondLimit += 1;
			return false;
		}
		if (wrapper === undefined && WRAPPER_ATTRIBUTES.some((name) => attribute(element, name) !== undefined)) {
			wrapper = element;
		}
		if (element.tagName === 'h2') heading ??= textOf(element).trim() || undefined;
		return element.tagName !== 'h2';
	});
	const reviews: ReviewParts[] = [];
	for (const item of items) {
		reviews.push(readItem(item));
		yield;
	}
	return {
		heading,
		blockId: wrapper && attribute(wrapper, 'data-id'),
		handle: wrapper && attribute(wrapper, 'data-block-handle'),
		reviews,
		beyondLimit,
	};
}

const WRAPPER_ATTRIBUTES = ['data-block-handle', 'data-id'];

function readItem(item: Element): ReviewParts {
	const parts = noParts();
	walkElements(item, (element) => {
		const names = classes(element);
		if (names.includes('review-item')) return false;
		const part = names.map(partOf).find((name) => name !== undefined);
		if (part !== undefined && parts[part] === undefined) {
			parts[part] = textOf(element);
			if (part === 'link') parts.href = attribute(element, 'href');
		}
		// Only the product part contains another part, its link. Everything inside other parts is untrusted text.
		return part === undefined || part === 'product';
	});
	return parts;
}

const START =
	/^<div class="(?![^"]*review-item)[^"<>&]*" data-id="([^"<>]*)" data-block-handle="([^"<>]*)">(?:<style>[^<]*<\/style>)?(?:<h2>([^<]*)<\/h2>)?/;

/** One review with its parts in the documented order; parts may be missing. It matches where the previous review ended. */
const ITEM = new RegExp(
	[
		'<div class="review-item">',
		'(?:<div class="review-product">(?:<a class="review-product-link" href="([^"<>]*)">([^<]*)</a>|([^<]*))</div>)?',
		...['author', 'rating', 'title', 'body', 'date'].map(
			(name) => `(?:<div class="review-${name}">([^<]*)</div>)?`,
		),
		'</div>',
	].join(''),
	'y',
);

const END = '</div>';

/**
 * Finds the parts of html that has exactly the documented shape, many times faster than a parser, and with the same result.
 * Returns `undefined` for anything else.
 */
export function scanHtml(html: string): HtmlParts | undefined {
	return atOnce(scanHtmlInSteps(html));
}

/** {@link scanHtml} in {@link Steps}. */
function* scanHtmlInSteps(html: string): Steps<HtmlParts | undefined> {
	// A parser treats these specially, wherever they are.
	if (html.includes('\r') || html.includes('\0')) return undefined;
	const start = START.exec(html);
	if (!start) return undefined;
	const decoder = createDecoder();
	const [opening, blockId, handle, heading] = start;
	const reviews: ReviewParts[] = [];
	let found = 0;
	let end = opening.length;
	ITEM.lastIndex = end;
	for (let item = ITEM.exec(html); item; item = ITEM.exec(html)) {
		end = ITEM.lastIndex;
		found += 1;
		if (found <= MAX_REVIEWS) reviews.push(toParts(item, decoder.decode));
		if (found % 10 === 0) {
			// The expression is shared, and other code may use it during the pause.
			yield;
			ITEM.lastIndex = end;
		}
	}
	const parts = {
		heading: decoder.decode(heading)?.trim() || undefined,
		blockId: decoder.decode(blockId),
		handle: decoder.decode(handle),
		reviews,
		beyondLimit: found - reviews.length,
	};
	const isWhole = html.endsWith(END) && end + END.length === html.length;
	return isWhole && !decoder.hasFailed() ? parts : undefined;
}

function toParts(
	[, href, link, product, author, rating, title, body, date]: RegExpExecArray,
	decode: (text: string | undefined) => string | undefined,
): ReviewParts {
	const linkText = decode(link);
	return {
		product: linkText ?? decode(product),
		link: linkText,
		href: decode(href),
		author: decode(author),
		rating: decode(rating),
		title: decode(title),
		body: decode(body),
		date: decode(date),
	};
}

/** Decodes texts, and remembers whether one of them contained a reference that only a parser reads correctly. */
function createDecoder() {
	let failed = false;
	return {
		hasFailed: () => failed,
		decode(text: string | undefined): string | undefined {
			if (text === undefined) return undefined;
			const decoded = decodeReferences(text);
			if (decoded === undefined) failed = true;
			return decoded;
		},
	};
}

const REFERENCES: Readonly<Record<string, string>> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&apos;': "'",
	'&#39;': "'",
	'&#x27;': "'",
	'&#34;': '"',
};

/**
 * Decodes the common character references in a text, each once. `undefined` if it contains any other `&`: html has more than
 * two thousand references, some without a semicolon, which only a parser reads correctly.
 */
function decodeReferences(text: string): string | undefined {
	if (!text.includes('&')) return text;
	let isKnown = true;
	const decoded = text.replace(/&[#a-z0-9]{0,5};?/g, (reference) => {
		const character = REFERENCES[reference];
		if (character === undefined) isKnown = false;
		return character ?? '';
	});
	return isKnown ? decoded : undefined;
}
