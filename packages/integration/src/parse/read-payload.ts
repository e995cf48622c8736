import type { CrawlerReviews } from 'product-reviews-client';
import { ReviewPayloadError } from '../errors.js';
import { count } from '../text/words.js';
import { combineHalves } from './combine-halves.js';
import type { Drop } from './dropped-parts.js';
import { usableRating } from './rating.js';
import { readHtmlInSteps } from './read-html.js';
import { readJsonldInSteps } from './read-jsonld.js';
import type { AggregateRating, ProductReviews } from './record.js';
import { atOnce, type Steps } from './steps.js';

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
