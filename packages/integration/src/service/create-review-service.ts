import type { Operation, ReviewsClient } from 'product-reviews-client';
import { createDropCounter } from '../parse/field-reader.js';
import { readPayload } from '../parse/read-payload.js';
import { readReviewData } from '../parse/read-review-data.js';
import { condenseRecord } from '../parse/record.js';
import type { Resource } from '../store/review-store.js';
import { pack } from '../store/values.js';
import { type Fetched, type ReviewService, readKnown, writeKnown } from './review-service.js';

interface Asked {
	readonly pid: string;
	readonly validators: string | undefined;
}

/** The operation of the service for each resource. */
const OPERATIONS: Readonly<Record<Resource, Operation>> = {
	reviews: 'crawlerReviews',
	'review-data': 'productReviewData',
};

/**
 * Requests products in this thread, and parses the answers into records. The client decides when a request is sent: in
 * order, except that prioritized ones come first. A product that failed is requested once more after all others. Among
 * many products, one is likely to fail at every try in a row, and would otherwise fail the build.
 */
export function createReviewService(client: ReviewsClient): ReviewService {
	const abort = new AbortController();
	const { signal } = abort;

	// Requests one product and parses the answer.
	const askers: Record<Resource, (asked: Asked) => Promise<Fetched>> = {
		reviews: async ({ pid, validators }) => {
			const known = readKnown(validators);
			const payload = await client.getCrawlerReviews(pid, { known, signal, requeue: true });
			if (payload === 'unchanged') return { packed: undefined, isEmpty: false, dropped: {}, validators };
			const { drop, dropped } = createDropCounter();
			const record = readPayload(payload, drop);
			return {
				packed: pack(condenseRecord(record), record.aggregate),
				isEmpty: record.reviews.length === 0 && record.aggregate === undefined,
				dropped,
				validators: writeKnown(payload.validators),
			};
		},
		// A POST, for which HTTP has no validators.
		'review-data': async ({ pid }) => {
			const { drop, dropped } = createDropCounter();
			const data = await client.getProductReviewData(pid, { signal, requeue: true });
			const record = readReviewData(data, drop);
			const { aggregate, reviews, questions, questionCount } = record;
			return {
				packed: pack(record, { ...aggregate, questionCount }),
				isEmpty: reviews.length + questions.length === 0 && aggregate === undefined,
				dropped,
				validators: undefined,
			};
		},
	};

	return {
		fetch: (resource, pid, validators) => askers[resource]({ pid, validators }),
		async fetchRatings(pids) {
			const ratings = await client.getStarRatings(pids, { signal });
			return new Map(
				[...ratings].map(([pid, { average, count, questionCount }]) => [
					pid,
					{ average, count, questionCount },
				]),
			);
		},
		prioritize: (resource, pid) => client.prioritize(OPERATIONS[resource], pid),
		async close(reason = new Error('The build ended.')) {
			abort.abort(reason);
		},
	};
}
