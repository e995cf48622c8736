import { z } from 'astro/zod';
import { toDate } from 'product-reviews-client';
import { PayloadError } from '../errors.js';
import { cleanLine, cleanText } from './clean-text.js';
import { httpUrl } from './http-url.js';
import { MAX_JSONLD_LENGTH, MAX_REVIEWS, MAX_TEXT_LENGTH } from './limits.js';
import { usableRating } from './rating.js';
import type { ProductReviews, StatedReview } from './record.js';
import { scriptText } from './script-text.js';

/**
 * Reads the service's JSON-LD of one product. Only what the service documents is read; everything else is dropped.
 * The aggregate rating is not taken from here: the answer's own counts are the contract.
 * @returns `undefined` for an empty string: the product has no published review.
 * @throws PayloadError where there is no JSON-LD in it, where it is not JSON or no Product, or larger than the limits.
 */
export function readJsonld(jsonld: string): ProductReviews['schema'] {
	if (jsonld.trim() === '') return undefined;
	if (jsonld.length > MAX_JSONLD_LENGTH) {
		throw unreadable(`is ${jsonld.length} characters long; at most ${MAX_JSONLD_LENGTH} are read`);
	}
	const text = scriptText(jsonld);
	if (text === undefined) throw unreadable('holds no script element of type application/ld+json');
	const product = productSchema.safeParse(parseJson(text));
	if (!product.success) throw unreadable('is not a Product as the service documents it');
	return {
		name: line(product.data.name, MAX_TEXT_LENGTH.title),
		url: httpUrl(product.data.url ?? product.data['@id']),
		reviews: (product.data.review ?? []).slice(0, MAX_REVIEWS).flatMap(readReview),
	};
}

const text = z.string().optional().catch(undefined);
const named = z.object({ name: text }).optional().catch(undefined);

const productSchema = z.object({
	'@type': z.literal('Product'),
	'@id': text,
	url: text,
	name: text,
	review: z.array(z.unknown()).optional().catch(undefined),
});

const reviewSchema = z.object({
	author: named,
	reviewRating: z
		.object({ ratingValue: z.union([z.number(), z.string().transform(Number)]) })
		.optional()
		.catch(undefined),
	publisher: named,
	reviewBody: text,
	datePublished: text,
});

function readReview(value: unknown): StatedReview[] {
	const parsed = reviewSchema.safeParse(value);
	if (!parsed.success) return [];
	const { author, reviewRating, publisher, reviewBody, datePublished } = parsed.data;
	return [
		{
			author: line(author?.name, MAX_TEXT_LENGTH.name),
			rating: reviewRating && usableRating(reviewRating.ratingValue),
			publisher: line(publisher?.name, MAX_TEXT_LENGTH.name),
			body: reviewBody === undefined ? undefined : cleanText(reviewBody, MAX_TEXT_LENGTH.body),
			date: toDate(datePublished),
		},
	];
}

function line(value: string | undefined, most: number): string | undefined {
	return value === undefined ? undefined : cleanLine(value, most);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw unreadable('is not JSON', cause);
	}
}

function unreadable(problem: string, cause?: unknown): PayloadError {
	return new PayloadError(
		`The structured data of the reviews ${problem}.`,
		'Look at what the service sends as "jsonld" for this product.',
		{ cause },
	);
}
