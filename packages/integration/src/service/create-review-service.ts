import type { ReviewsClient, Validators } from 'product-reviews-client';
import type { Resource } from '../cache/review-cache.js';
import type { Packed } from '../cache/values.js';
import { VERSION } from '../constants.js';
import { createDropCounter, type DroppedParts } from '../parse/field-reader.js';
import { readPayload } from '../parse/read-payload.js';
import { readReviewData } from '../parse/read-review-data.js';
import { isEmpty } from '../parse/record.js';
import { type KnownRating, packReviewData, packReviews } from './packed.js';

export interface Fetched {
	readonly packed: Packed | undefined;
	readonly isEmpty: boolean;
	/** Parts that could not be read. */
	readonly dropped: DroppedParts;
	readonly validators: string | undefined;
}

/** The ratings of a list of products, by id. Products unknown to the service are missing. */
export type Ratings = ReadonlyMap<string, KnownRating>;

export interface ReviewService {
	fetch(resource: Resource, pid: string, validators?: string): Promise<Fetched>;
	fetchRatings(pids: readonly string[]): Promise<Ratings>;
	prioritize(resource: Resource, pid: string): void;
	/** Ends the service. Pending and later requests fail. */
	close(reason?: Error): Promise<void>;
}

/**
 * Requests products in this thread, and parses the answers into records. The client decides when a request is sent: in
 * order, except that prioritized ones come first. A product that failed is requested once more after all others. Among
 * many products, one is likely to fail at every try in a row, and would otherwise fail the build.
 */
export function createReviewService(client: ReviewsClient): ReviewService {
	const abort = new AbortController();
	const { signal } = abort;

	const askers: Record<Resource, (pid: string, validators?: string) => Promise<Fetched>> = {
		async reviews(pid, validators) {
			const known = readKnown(validators);
			const payload = await client.getCrawlerReviews(pid, { known, signal, requeue: true });
			if (payload === 'unchanged') return { packed: undefined, isEmpty: false, dropped: {}, validators };
			const { drop, dropped } = createDropCounter();
			const record = readPayload(payload, drop);
			return {
				packed: packReviews(record),
				isEmpty: isEmpty(record),
				dropped,
				validators: writeKnown(payload.validators),
			};
		},
		// A POST, for which HTTP has no validators.
		async 'review-data'(pid) {
			const { drop, dropped } = createDropCounter();
			const data = await client.getProductReviewData(pid, { signal, requeue: true });
			const record = readReviewData(data, drop);
			return {
				packed: packReviewData(record),
				isEmpty: isEmpty(record),
				dropped,
				validators: undefined,
			};
		},
	};

	return {
		fetch: (resource, pid, validators) => askers[resource](pid, validators),
		fetchRatings: (pids) => client.getStarRatings(pids, { signal }),
		prioritize: (resource, pid) =>
			client.prioritize(resource === 'reviews' ? 'crawlerReviews' : 'productReviewData', pid),
		async close(reason = new Error('The build ended.')) {
			abort.abort(reason);
		},
	};
}

/**
 * Writes an answer's validators as the text that the cache keeps next to its record. It includes this package's
 * version, because another version may read more from the same answer. So a record is current only for the version that
 * made it.
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
