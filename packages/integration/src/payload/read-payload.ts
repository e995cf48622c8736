import type { CrawlerReviews } from 'product-reviews-client';
import { PayloadError } from '../errors.js';
import { usableRating } from './rating.js';
import { readHtml } from './read-html.js';
import { readJsonld } from './read-jsonld.js';
import type { AggregateRating, ProductReviews } from './record.js';

/**
 * Reads an answer of the service into a checked record. Nothing of the service's markup is in it.
 * @throws PayloadError where the answer cannot be read or contradicts itself. It must not replace a good payload.
 */
export function readPayload(payload: CrawlerReviews): ProductReviews {
	const { count } = payload.aggregate;
	if (!Number.isSafeInteger(count) || count < 0) {
		throw new PayloadError(
			`The count of ratings is ${count}, which is no count.`,
			'Look at what the service sends as "dataCount" for this product.',
		);
	}
	const html = readHtml(payload.html);
	if (count > 0 && payload.html.trim() !== '' && html.reviews.length === 0 && payload.jsonld.trim() !== '') {
		throw new PayloadError(
			`The answer counts ${count} ratings, but no review can be read in its html.`,
			'Look at what the service sends as "html" for this product.',
		);
	}
	return {
		pid: payload.pid,
		aggregate: readAggregate(payload.aggregate),
		...html,
		schema: readJsonld(payload.jsonld),
	};
}

function readAggregate({ count, average }: CrawlerReviews['aggregate']): AggregateRating | undefined {
	const usable = usableRating(average);
	return count > 0 && usable !== undefined ? { count, average: usable } : undefined;
}
