import type { CrawlerReviews } from 'product-reviews-client';
import { ReviewPayloadError } from '../errors.js';
import { combineHalves } from './combine-halves.js';
import type { Drop } from './dropped-parts.js';
import { usableRating } from './rating.js';
import { readHtmlInSteps } from './read-html.js';
import { readJsonldInSteps } from './read-jsonld.js';
import type { AggregateRating, ProductReviews } from './record.js';
import { atOnce, type Steps } from './steps.js';

/**
 * Reads an answer of the service into a checked record. Nothing of the service's markup is in it.
 * @param drop is told of each part that is lost.
 * @throws ReviewPayloadError where the answer cannot be read or contradicts itself. It must not replace a good payload.
 */
export function readPayload(payload: CrawlerReviews, drop: Drop = () => {}): ProductReviews {
	return atOnce(readPayloadInSteps(payload, drop));
}

/** {@link readPayload}, which can be put down in between. */
export function* readPayloadInSteps(payload: CrawlerReviews, drop: Drop = () => {}): Steps<ProductReviews> {
	const { count } = payload.aggregate;
	if (!Number.isSafeInteger(count) || count < 0) {
		throw contradiction(`The count of ratings is ${count}, which is no count.`, '"dataCount"');
	}
	const html = yield* readHtmlInSteps(payload.html, drop);
	const jsonld = yield* readJsonldInSteps(payload.jsonld, drop);
	const halves = combineHalves(html, jsonld, drop);
	const rated = halves.reviews.filter(({ rating }) => rating !== undefined).length;
	if (count === 0 && rated > 0) {
		throw contradiction(`The answer counts no rating, but holds ${rated} reviews with one.`, '"dataCount"');
	}
	if (html.failure && halves.reviews.length === 0) throw html.failure;
	const isEmpty = halves.reviews.length === 0 && (jsonld !== undefined || html.found > 0);
	if (count > 0 && isEmpty) {
		throw contradiction(
			`The answer counts ${count} ratings, but no review can be read in it.`,
			'"html" and "jsonld"',
		);
	}
	if (typeof jsonld === 'object' && jsonld.count !== undefined && jsonld.count !== count)
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
	return new ReviewPayloadError(problem, `Look at what the service sends as ${fields} for this product.`);
}
