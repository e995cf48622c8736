import type { ReviewsClient, Validators } from 'product-reviews-client';
import { VERSION } from '../constants.js';
import { createAnswer } from '../records/parts.js';
import { readReviewData } from '../records/read-review-data.js';
import { readPayload } from './read-payload.js';
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
	try {
		const { version, ...validators } = JSON.parse(text);
		return version === VERSION ? validators : undefined;
	} catch {
		return undefined;
	}
}
