import type { DroppedParts } from '../payload/dropped-parts.js';
import type { RequestFacts } from '../service/review-service.js';

/** Why a product has no fresh reviews. */
export interface Failure {
	readonly pid: string;
	/** What the service did, without the product's name. */
	readonly reason: string;
	/** Whether stored reviews could be used in place of fresh ones. */
	readonly stale: boolean;
	readonly error: unknown;
}

/** Counts of one build or dev server. */
export interface Tally {
	/** Products of the list that are dealt with. */
	done: number;
	/** Products that the service answered. */
	fetched: number;
	/** Requests to the service, tries again included. */
	requests: number;
	/** Requests that were tries again. */
	retries: number;
	/** Bytes that the service sent, after decompression. */
	bytes: number;
	readonly failures: Failure[];
	/** Products of whose answer a part could not be read. */
	readonly dropped: { readonly pid: string; readonly parts: DroppedParts }[];
}

export function createTally(): Tally {
	return { done: 0, fetched: 0, requests: 0, retries: 0, bytes: 0, failures: [], dropped: [] };
}

/** Counts one request to the service. */
export function countRequests(tally: Tally, { attempt, bytes }: RequestFacts): void {
	tally.requests += 1;
	if (attempt > 1) tally.retries += 1;
	tally.bytes += bytes;
}
