import { z } from 'astro/zod';
import { toDate } from 'product-reviews-client';
import { createShapeCounter, shapeLimits } from 'product-reviews-client/contract';
import { ReviewPayloadError } from '../errors.js';
import { cleanLine, cleanText } from '../text/clean-text.js';
import { personalLine } from './contact-details.js';
import type { Drop } from './dropped-parts.js';
import { httpUrl } from './http-url.js';
import { MAX_JSONLD_LENGTH, MAX_REVIEWS, MAX_TEXT_LENGTH } from './limits.js';
import { usableRating } from './rating.js';
import type { StatedReview, StructuredData } from './record.js';
import { scriptTextInSteps } from './script-text.js';
import type { Steps } from './steps.js';

/** The content of one product's JSON-LD. */
export interface ReadJsonld {
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
export function* readJsonldInSteps(jsonld: string, drop: Drop): Steps<ReadJsonld | 'unreadable' | undefined> {
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

/** Nesting costs a parser no more than the same number of values side by side. */
const JSON_LIMITS = { ...shapeLimits(MAX_JSONLD_LENGTH), depth: Number.POSITIVE_INFINITY };

function parseJson(script: string): unknown {
	const count = createShapeCounter(JSON_LIMITS);
	// A few bytes can contain more values than a parser creates in a second.
	if (count(new TextEncoder().encode(script)) !== undefined) return undefined;
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
