import type { RequestEvent } from 'product-reviews-client';
import type { ErrorCode } from '../errors/catalogue.js';
import type { DroppedParts } from '../parse/dropped-parts.js';
import type { Resource } from '../store/review-store.js';
import { createOutcomes, type Outcomes } from './create-outcomes.js';

/** The facts of a request that are counted and logged. */
export interface RequestFacts
	extends Pick<
		RequestEvent,
		'operation' | 'method' | 'url' | 'pids' | 'attempt' | 'status' | 'bytes' | 'durationMs'
	> {
	/** Why it failed; omitted if it did not. */
	readonly code?: ErrorCode;
}

/** Why a product has no fresh reviews. */
export interface Failure {
	readonly pid: string;
	/** What went wrong, without the product's name. */
	readonly reason: string;
	/** Whether stored reviews could be used instead of fresh ones. */
	readonly stale: boolean;
	readonly error: unknown;
}

/** Counts of one build or dev server. */
export interface Tally {
	/** Products of the list that are done. */
	done: number;
	/** Products for which the service answered. */
	fetched: number;
	/** Requests to the service, including retries. */
	requests: number;
	/** When the last of them ended, in milliseconds since 1970; `undefined` if there was none. */
	answeredAt: number | undefined;
	/** Requests by operation. */
	readonly operations: Record<RequestFacts['operation'], number>;
	/** How many of the requests were retries. */
	retries: number;
	/** Bytes that the service sent, after decompression. */
	bytes: number;
	readonly failures: Failure[];
	/** The same of ratings that were requested in lists: a page is complete without them. */
	readonly ratingFailures: Failure[];
	/** Products of whose answer a part could not be read. */
	readonly dropped: { readonly pid: string; readonly parts: DroppedParts }[];
	readonly outcomes: Readonly<Record<Resource | 'rating', Outcomes>>;
}

export function createTally(): Tally {
	return {
		done: 0,
		fetched: 0,
		requests: 0,
		answeredAt: undefined,
		operations: { starRating: 0, productReviewData: 0, crawlerReviews: 0 },
		retries: 0,
		bytes: 0,
		failures: [],
		ratingFailures: [],
		dropped: [],
		outcomes: { reviews: createOutcomes(), 'review-data': createOutcomes(), rating: createOutcomes() },
	};
}

/** Counts one request to the service. @param now milliseconds since 1970 */
export function countRequests(
	tally: Tally,
	{ operation, pids, attempt, bytes, durationMs }: Omit<RequestFacts, 'method' | 'url'>,
	now: number,
): void {
	tally.answeredAt = now;
	tally.requests += 1;
	tally.operations[operation] += 1;
	if (attempt > 1) tally.retries += 1;
	tally.bytes += bytes;
	const resource = RESOURCES[operation];
	for (const pid of resource ? pids : []) {
		tally.outcomes[resource as Resource].addRequest(pid, durationMs, bytes);
	}
}

const RESOURCES: Readonly<Record<RequestFacts['operation'], Resource | undefined>> = {
	starRating: undefined,
	productReviewData: 'review-data',
	crawlerReviews: 'reviews',
};
