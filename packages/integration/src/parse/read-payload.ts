import { z } from 'astro/zod';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5';
import { type CrawlerReviews, toDate } from 'product-reviews-client';
import { ReviewPayloadError } from '../errors.js';
import { cleanLine, cleanText, count } from '../text/words.js';
import {
	atOnce,
	type Drop,
	httpUrl,
	MAX_JSONLD_LENGTH,
	MAX_REVIEWS,
	MAX_TEXT_LENGTH,
	personalLine,
	type Steps,
} from './field-reader.js';
import { attribute, parseMarkup } from './parse-markup.js';
import { type ReadHtml, readHtmlInSteps } from './read-html.js';
import {
	type AggregateRating,
	type DisplayedReview,
	type ProductReviews,
	type StatedReview,
	type StructuredData,
	usableRating,
} from './record.js';

/**
 * Reads an answer of the service into a checked record without any of the service's markup.
 * @param drop called for each part that is lost.
 * @throws ReviewPayloadError if the answer cannot be read or contradicts itself. It must not replace a good payload.
 */
export function readPayload(payload: CrawlerReviews, drop: Drop = () => {}): ProductReviews {
	return atOnce(readPayloadInSteps(payload, drop));
}

/** {@link readPayload} in {@link Steps}. */
export function* readPayloadInSteps(payload: CrawlerReviews, drop: Drop = () => {}): Steps<ProductReviews> {
	const { count: ratings } = payload.aggregate;
	if (!Number.isSafeInteger(ratings) || ratings < 0) {
		throw contradiction(`The number of ratings is ${ratings}, which is not a valid count.`, '"dataCount"');
	}
	const html = yield* readHtmlInSteps(payload.html, drop);
	const jsonld = yield* readJsonldInSteps(payload.jsonld, drop);
	const halves = combineHalves(html, jsonld, drop);
	const rated = halves.reviews.filter(({ rating }) => rating !== undefined).length;
	if (ratings === 0 && rated > 0) {
		throw contradiction(
			`The answer counts no ratings, but contains ${count(rated, 'rated review')}.`,
			'"dataCount"',
		);
	}
	if (html.failure && halves.reviews.length === 0) throw html.failure;
	const isEmpty = halves.reviews.length === 0 && (jsonld !== undefined || html.found > 0);
	if (ratings > 0 && isEmpty) {
		throw contradiction(
			`The answer counts ${count(ratings, 'rating')}, but contains no readable review.`,
			'"html" and "jsonld"',
		);
	}
	if (typeof jsonld === 'object' && jsonld.count !== undefined && jsonld.count !== ratings)
		drop('rating-differs');
	return {
		pid: payload.pid,
		aggregate: readAggregate(payload.aggregate, drop),
		...html.block,
		...halves,
	};
}

function readAggregate(
	{ count, average }: CrawlerReviews['aggregate'],
	drop: Drop,
): AggregateRating | undefined {
	if (count === 0) return undefined;
	const usable = usableRating(average);
	if (usable === undefined) drop('rating-unusable');
	return usable === undefined ? undefined : { count, average: usable };
}

function contradiction(problem: string, fields: string): ReviewPayloadError {
	return new ReviewPayloadError(problem, `Check what the service sends as ${fields} for this product.`);
}

/**
 * The html and the JSON-LD of an answer contain the same reviews. If untrusted text broke one of them for the parser, the
 * other replaces it: one bad text must not cost a product its reviews.
 */
function combineHalves(
	html: ReadHtml,
	jsonld: ReadJsonld | 'unreadable' | undefined,
	drop: Drop,
): Pick<ProductReviews, 'reviews' | 'schema'> {
	const { reviews } = html;
	if (jsonld === undefined) return { reviews, schema: undefined };
	if (jsonld === 'unreadable') {
		drop('structured-data-unreadable');
		return { reviews, schema: reviews.length > 0 ? toStructuredData(reviews) : undefined };
	}
	const { schema, found } = jsonld;
	const isCutShort = html.hasSwallowed && html.found < found;
	if ((reviews.length === 0 || isCutShort) && schema.reviews.some(saysSomething)) {
		drop('html-unreadable');
		return { reviews: schema.reviews.filter(saysSomething).map(toDisplayedReviewOf(schema)), schema };
	}
	if (found !== html.found) drop('review-lists-differ');
	return { reviews, schema };
}

function toStructuredData(reviews: readonly DisplayedReview[]): StructuredData {
	return {
		name: reviews.find(({ productName }) => productName !== undefined)?.productName,
		url: reviews.find(({ productUrl }) => productUrl !== undefined)?.productUrl,
		reviews: reviews.map(({ author, rating, body, date }) => ({
			author,
			rating,
			publisher: undefined,
			body,
			date,
		})),
	};
}

function saysSomething({ rating, body }: StatedReview): boolean {
	return rating !== undefined || body !== undefined;
}

function toDisplayedReviewOf({ name, url }: StructuredData): (review: StatedReview) => DisplayedReview {
	const productName = name === undefined ? undefined : cleanLine(name, MAX_TEXT_LENGTH.name);
	return ({ author, rating, body, date }) => ({
		productName,
		productUrl: url,
		author,
		rating,
		title: undefined,
		body,
		date,
	});
}

/** The content of one product's JSON-LD. */
interface ReadJsonld {
	readonly schema: StructuredData;
	/** Number of reviews, including empty ones. */
	readonly found: number;
	/** Its number of ratings. The answer's own count takes precedence; this can only contradict it. */
	readonly count: number | undefined;
}

/**
 * Reads the service's JSON-LD of one product. Only what the service documents is read; everything else is dropped.
 * @param drop called for each part that is lost.
 * @returns `undefined` for an empty string: the product has no published review. `'unreadable'` if the script contains no
 * Product, for example because a text in it ended the script.
 * @throws ReviewPayloadError if it contains no JSON-LD script, or is larger than the limits.
 */
function* readJsonldInSteps(jsonld: string, drop: Drop): Steps<ReadJsonld | 'unreadable' | undefined> {
	if (jsonld.trim() === '') return undefined;
	if (jsonld.length > MAX_JSONLD_LENGTH) {
		throw unreadable(`is ${jsonld.length} characters long; the limit is ${MAX_JSONLD_LENGTH}`);
	}
	const script = yield* findScript(jsonld);
	if (script === 'unreadable') return script;
	if (script === undefined) throw unreadable('contains no script element of type application/ld+json');
	yield;
	const parsed = productSchema.safeParse(parseJson(script));
	yield;
	if (!parsed.success) return 'unreadable';
	const { name, url = parsed.data['@id'], review = [], aggregateRating } = parsed.data;
	const address = httpUrl(url);
	if (address === undefined && url?.trim()) drop('address-refused');
	for (let beyond = MAX_REVIEWS; beyond < review.length; beyond++) drop('review-beyond-limit');
	const reviews: StatedReview[] = [];
	for (const value of review.slice(0, MAX_REVIEWS)) {
		reviews.push(...readReview(value, drop));
		yield;
	}
	return {
		schema: {
			name: line(name, MAX_TEXT_LENGTH.title, drop),
			url: address,
			reviews,
		},
		found: review.length,
		count: aggregateRating?.reviewCount ?? aggregateRating?.ratingCount,
	};
}

const text = z.string().optional().catch(undefined);

const named = z.object({ name: text }).optional().catch(undefined);

const number = z.union([z.number(), z.string().transform(Number)]);

const optionalNumber = number.optional().catch(undefined);

const productSchema = z.object({
	'@type': z.literal('Product'),
	'@id': text,
	url: text,
	name: text,
	aggregateRating: z
		.object({ reviewCount: optionalNumber, ratingCount: optionalNumber })
		.optional()
		.catch(undefined),
	review: z.array(z.unknown()).optional().catch(undefined),
});

const reviewSchema = z.object({
	author: named,
	reviewRating: z.object({ ratingValue: number }).optional().catch(undefined),
	publisher: named,
	reviewBody: text,
	datePublished: text,
});

function readReview(value: unknown, drop: Drop): StatedReview[] {
	const parsed = reviewSchema.safeParse(value);
	if (!parsed.success) {
		drop('review-empty');
		return [];
	}
	const { author, reviewRating, publisher, reviewBody, datePublished } = parsed.data;
	const rating = reviewRating && usableRating(reviewRating.ratingValue);
	const date = toDate(datePublished);
	if (reviewRating && rating === undefined) drop('rating-unusable');
	if (datePublished?.trim() && date === undefined) drop('date-unreadable');
	return [
		{
			author: personalLine(author?.name, MAX_TEXT_LENGTH.name, drop),
			rating,
			publisher: line(publisher?.name, MAX_TEXT_LENGTH.name, drop),
			body: reviewBody === undefined ? undefined : cleanText(reviewBody, MAX_TEXT_LENGTH.body, drop),
			date,
		},
	];
}

function line(value: string | undefined, most: number, drop: Drop): string | undefined {
	return value === undefined ? undefined : cleanLine(value, most, drop);
}

/** A text that ended the script early may be followed by more markup than the parser's limits allow. */
function* findScript(jsonld: string): Steps<string | 'unreadable' | undefined> {
	try {
		return yield* scriptTextInSteps(jsonld);
	} catch (error) {
		if (error instanceof ReviewPayloadError) return 'unreadable';
		throw error;
	}
}

function parseJson(script: string): unknown {
	try {
		return JSON.parse(script);
	} catch {
		// Untrusted text may end the script early. The rest of it is useless.
		return undefined;
	}
}

function unreadable(problem: string): ReviewPayloadError {
	return new ReviewPayloadError(
		`The structured data of the reviews ${problem}.`,
		'Check what the service sends as "jsonld" for this product.',
	);
}

// The documented shape; its attributes come in either order.
const STARTS = [
	'<script id="ServiceReviewSchemaJson" type="application/ld+json">',
	'<script type="application/ld+json" id="ServiceReviewSchemaJson">',
];

const END = '</script>';

/**
 * The text of the first JSON-LD script among the outermost elements of the service's JSON-LD; `undefined` if there is none.
 * @throws ReviewPayloadError if the markup has more elements than the limit.
 */
export function scriptText(markup: string): string | undefined {
	return atOnce(scriptTextInSteps(markup));
}

/** {@link scriptText} in {@link Steps}. */
function* scriptTextInSteps(markup: string): Steps<string | undefined> {
	return scanScriptText(markup) ?? (yield* parseScriptText(markup));
}

/** Only for a script that contains nothing a parser would treat specially. */
function scanScriptText(markup: string): string | undefined {
	const start = STARTS.find((candidate) => markup.startsWith(candidate));
	if (start === undefined || !markup.endsWith(END) || markup.includes('\r') || markup.includes('\0'))
		return undefined;
	const end = markup.indexOf('<', start.length);
	return end === markup.length - END.length ? markup.slice(start.length, end) : undefined;
}

function* parseScriptText(markup: string): Steps<string | undefined> {
	const { childNodes } = yield* parseMarkup(markup, 'The structured data of the reviews');
	const script = childNodes.find(
		(node): node is DefaultTreeAdapterTypes.Element =>
			defaultTreeAdapter.isElementNode(node) &&
			node.tagName === 'script' &&
			attribute(node, 'type')?.trim().toLowerCase() === 'application/ld+json',
	);
	return script?.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('');
}
