import type { RequestEvent } from 'product-reviews-client';
import type { ErrorCode } from '../errors/catalogue.js';

/** The facts of a request that are counted and logged. */
export interface RequestFacts
	extends Pick<
		RequestEvent,
		'operation' | 'method' | 'url' | 'pids' | 'attempt' | 'status' | 'bytes' | 'durationMs'
	> {
	/** Why it failed; omitted if it did not. */
	readonly code?: ErrorCode;
}

/** What one build or dev server has requested of the service. */
export interface RequestTotals {
	/** Requests, including retries. */
	readonly total: number;
	/** How many of them were retries. */
	readonly retries: number;
	/** What the service sent, after decompression. */
	readonly bytes: number;
	/** Requests by operation. */
	readonly operations: Readonly<Record<RequestFacts['operation'], number>>;
}

/** Counts requests. */
export interface RequestCounts {
	/** Requests so far, including retries. */
	total(): number;
	totals(): RequestTotals;
	/** When the last one ended, in milliseconds since 1970; `undefined` if there was none. */
	answeredAt(): number | undefined;
	/** Counts one that ended. */
	add(facts: Pick<RequestFacts, 'operation' | 'attempt' | 'bytes'>): void;
}

/** @param now milliseconds since 1970. */
export function createRequestCounts(now: () => number): RequestCounts {
	const operations = { starRating: 0, productReviewData: 0, crawlerReviews: 0 };
	let total = 0;
	let retries = 0;
	let bytes = 0;
	let answeredAt: number | undefined;
	return {
		total: () => total,
		totals: () => ({ total, retries, bytes, operations: { ...operations } }),
		answeredAt: () => answeredAt,
		add({ operation, attempt, bytes: sent }) {
			total += 1;
			operations[operation] += 1;
			if (attempt > 1) retries += 1;
			bytes += sent;
			answeredAt = now();
		},
	};
}
