import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5';
import type { CrawlerReviews, ReviewsClient, Validators } from 'product-reviews-client';
import { unlessFailing } from '../base/failures.js';
import { cleanLine, count } from '../base/words.js';
import { VERSION } from '../constants.js';
import {
	type Drop,
	FieldReader,
	fieldsOf,
	MAX_HALF_LENGTH,
	MAX_TEXT_LENGTH,
	MOST,
	refusal,
} from '../records/field-reader.js';
import { createAnswer } from '../records/parts.js';
import { readReviewData } from '../records/read-review-data.js';
import {
	checkAggregate,
	type ProductReviews,
	type Review,
	readStatedReview,
	type StatedReview,
	type StructuredData,
	stateReviews,
} from '../records/record.js';
import { attribute, parseMarkup, type ReadHtml, readHtml } from './read-html.js';
import type { ProviderCalls } from './review-fetcher.js';

/**
 * The hosted service. Its client decides when a request is sent: in order, except that prioritized ones come first.
 * @param pause awaited before an answer is read, which may take a while. @default it is read at once
 */
export function createHostedCalls(client: ReviewsClient, pause?: () => Promise<void>): ProviderCalls {
	return {
		async reviews(pid, { known, ...options } = {}) {
			const payload = await client.getCrawlerReviews(pid, { ...options, known: readKnown(known) });
			if (payload === 'unchanged') {
				return { content: undefined, isEmpty: false, dropped: {}, validators: known };
			}
			await pause?.();
			return createAnswer('reviews', (drop) => readPayload(payload, drop), writeKnown(payload.validators));
		},
		// A POST, for which HTTP has no validators.
		async reviewData(pid, options) {
			const data = await client.getProductReviewData(pid, options);
			await pause?.();
			return createAnswer('review-data', (drop) => readReviewData(data, drop));
		},
		ratings: (pids, options) => client.getStarRatings(pids, options),
		prioritize: (resource, pid) =>
			client.prioritize(resource === 'reviews' ? 'crawlerReviews' : 'productReviewData', pid),
	};
}

/**
 * Writes an answer's validators as the text that is kept next to its record. It includes this package's version, because
 * another version may read more from the same answer. So a record is current only for the version that made it.
 */
function writeKnown(validators: Validators | undefined): string | undefined {
	return validators && JSON.stringify({ version: VERSION, ...validators });
}

/** Reads what {@link writeKnown} wrote. The client checks the validators before it sends them. */
function readKnown(text: string | undefined): Validators | undefined {
	if (!text) return undefined;
	return unlessFailing(() => {
		const { version, ...validators } = JSON.parse(text);
		return version === VERSION ? validators : undefined;
	});
}

/**
 * Reads an answer of the service into a checked record without any of the service's markup.
 * @param drop called for each part that is lost.
 * @throws ReviewPayloadError if the answer cannot be read or contradicts itself. It must not replace a good payload.
 */
export function readPayload(payload: CrawlerReviews, drop: Drop = () => {}): ProductReviews {
	const { count: ratings, average } = payload.aggregate;
	if (!Number.isSafeInteger(ratings) || ratings < 0) {
		throw refusal(`The number of ratings is ${ratings}, which is not a valid count.`, 'number of ratings');
	}
	const read = new FieldReader(drop);
	const html = readHtml(payload.html, read);
	const jsonld = readJsonld(payload.jsonld, read);
	const halves = combineHalves(html, jsonld, drop);
	const rated = halves.reviews.filter(({ rating }) => rating !== undefined).length;
	if (ratings === 0 && rated > 0) {
		throw refusal(
			`The response counts no ratings, but contains ${count(rated, 'rated review')}.`,
			'number of ratings',
		);
	}
	if (html.failure && halves.reviews.length === 0) throw html.failure;
	const isEmpty = halves.reviews.length === 0 && (jsonld !== undefined || html.found > 0);
	if (ratings > 0 && isEmpty) {
		throw refusal(
			`The response counts ${count(ratings, 'rating')}, but contains no readable review.`,
			'"html" and "jsonld"',
		);
	}
	if (typeof jsonld === 'object' && jsonld.count !== undefined && jsonld.count !== ratings)
		drop('rating-differs');
	return {
		pid: payload.pid,
		aggregate: ratings === 0 ? undefined : checkAggregate({ count: ratings, average }, read),
		...html.block,
		...halves,
	};
}

/**
 * The html and the JSON-LD of an answer contain the same reviews. If untrusted text broke one of them for the parser, the
 * other replaces it: one bad text must not cost a product its reviews.
 */
function combineHalves(
	html: ReadHtml,
	jsonld: ReturnType<typeof readJsonld>,
	drop: Drop,
): Pick<ProductReviews, 'reviews' | 'schema'> {
	const { reviews } = html;
	if (jsonld === undefined) return { reviews, schema: undefined };
	if (jsonld === 'unreadable') {
		drop('structured-data-unreadable');
		return { reviews, schema: reviews.length > 0 ? stateReviews(reviews) : undefined };
	}
	const { schema, found } = jsonld;
	const isCutShort = html.hasSwallowed && html.found < found;
	if ((reviews.length === 0 || isCutShort) && schema.reviews.some(hasContent)) {
		drop('html-unreadable');
		return { reviews: toReviews(schema), schema };
	}
	if (found !== html.found) drop('review-lists-differ');
	return { reviews, schema };
}

function hasContent({ rating, body }: StatedReview): boolean {
	return rating !== undefined || body !== undefined;
}

function toReviews({ name, url, reviews }: StructuredData): Review[] {
	const productName = name === undefined ? undefined : cleanLine(name, MAX_TEXT_LENGTH.name);
	return reviews
		.filter(hasContent)
		.map(({ publisher: _publisher, ...review }) => ({ productName, productUrl: url, ...review }));
}

/**
 * Reads the service's JSON-LD of one product. Only what the service documents is read; everything else is dropped.
 * @param drop called for each part that is lost.
 * @returns `undefined` for an empty string: the product has no published review. `'unreadable'` if the script contains no
 * Product, for example because a text in it ended the script.
 * @throws ReviewPayloadError if it contains no JSON-LD script, or is larger than the limits.
 */
function readJsonld(jsonld: string, read: FieldReader) {
	const unreadable = (problem: string) =>
		refusal(`The structured data of the reviews ${problem}.`, '"jsonld"');
	if (jsonld.trim() === '') return undefined;
	if (jsonld.length > MAX_HALF_LENGTH) {
		throw unreadable(`is ${jsonld.length} characters long; the limit is ${MAX_HALF_LENGTH}`);
	}
	let script: string | undefined;
	let product: Readonly<Record<string, unknown>>;
	try {
		script = findScript(jsonld);
		product = fieldsOf(JSON.parse(script ?? '{}'));
	} catch {
		// A text that ended the script early makes the rest of it useless, and more markup than the limits allow may follow.
		return 'unreadable';
	}
	if (script === undefined) throw unreadable('contains no script element of type application/ld+json');
	if (product['@type'] !== 'Product') return 'unreadable';
	const reviews = Array.isArray(product['review']) ? product['review'] : [];
	const { reviewCount, ratingCount } = fieldsOf(product['aggregateRating']);
	const url = [product['url'], product['@id']].find((address) => typeof address === 'string');
	return {
		schema: {
			name: read.line(product['name'], MAX_TEXT_LENGTH.title),
			url: read.address(url),
			reviews: read.list(reviews, readReview, MOST.reviews, 'review-beyond-limit'),
		},
		found: reviews.length,
		/** Its number of ratings. The answer's own count takes precedence; this can only contradict it. */
		count: toNumber(reviewCount) ?? toNumber(ratingCount),
	};
}

function readReview(value: unknown, read: FieldReader): StatedReview | undefined {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		read.drop('review-empty');
		return undefined;
	}
	const fields = fieldsOf(value);
	const review = {
		author: fieldsOf(fields['author'])['name'],
		rating: toNumber(fieldsOf(fields['reviewRating'])['ratingValue']),
		publisher: fieldsOf(fields['publisher'])['name'],
		body: fields['reviewBody'],
		date: fields['datePublished'],
	};
	return readStatedReview(review, read);
}

/** JSON-LD may have numbers as texts. */
function toNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * Finds the first JSON-LD script among the outermost elements of the service's JSON-LD; `undefined` if there is none.
 * @throws ReviewPayloadError if there is more markup than the parser's limits allow.
 */
function findScript(jsonld: string): string | undefined {
	// Ten times as fast as a parser, for a script in which a parser would treat nothing specially.
	const [, text] = DOCUMENTED_SCRIPT.exec(jsonld) ?? [];
	if (text !== undefined) return text;
	const script = parseMarkup(jsonld, 'The structured data of the reviews').childNodes.find(
		(node): node is DefaultTreeAdapterTypes.Element =>
			defaultTreeAdapter.isElementNode(node) &&
			node.tagName === 'script' &&
			attribute(node, 'type')?.trim().toLowerCase() === 'application/ld+json',
	);
	return script?.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('');
}

/** The attributes come in either order. */
const DOCUMENTED_SCRIPT =
	/^<script(?: id="ServiceReviewSchemaJson" type="application\/ld\+json"| type="application\/ld\+json" id="ServiceReviewSchemaJson")>([^<\r\0]*)<\/script>$/;
