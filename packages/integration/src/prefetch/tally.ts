import type { DroppedParts } from '../payload/dropped-parts.js';
import type { RequestFacts } from '../service/review-service.js';
import type { Resource } from '../store/review-store.js';

/** Why a product has no fresh reviews. */
export interface Failure {
	readonly pid: string;
	/** What the service did, without the product's name. */
	readonly reason: string;
	/** Whether stored reviews could be used in place of fresh ones. */
	readonly stale: boolean;
	readonly error: unknown;
}

/**
 * How it went for a product: the service sent its reviews; what is stored is current; the service has none; the service
 * failed, and what is stored is used; it failed, and nothing is stored.
 */
export type Status = 'fetched' | 'unchanged' | 'missing' | 'stale' | 'failed';

/** What one product came to. */
export interface Outcome {
	/** `undefined` while it is asked for. */
	status: Status | undefined;
	/** Why the service failed. */
	reason?: string;
	/** What the service took for it, all tries together, in milliseconds. */
	ms: number;
	/** What the service sent, after decompression. */
	bytes: number;
}

/** Counts of one build or dev server. */
export interface Tally {
	/** Products of the list that are dealt with. */
	done: number;
	/** Products that the service answered. */
	fetched: number;
	/** Requests to the service, tries again included. */
	requests: number;
	/** The same by operation. */
	readonly operations: Record<RequestFacts['operation'], number>;
	/** Requests that were tries again. */
	retries: number;
	/** Bytes that the service sent, after decompression. */
	bytes: number;
	readonly failures: Failure[];
	/** The same of stars that were asked for in a list: a page is whole without them. */
	readonly starFailures: Failure[];
	/** Products of whose answer a part could not be read. */
	readonly dropped: { readonly pid: string; readonly parts: DroppedParts }[];
	/** By product id. */
	readonly outcomes: Readonly<Record<Resource, Map<string, Outcome>>>;
}

export function createTally(): Tally {
	return {
		done: 0,
		fetched: 0,
		requests: 0,
		operations: { starRating: 0, productReviewData: 0, crawlerReviews: 0 },
		retries: 0,
		bytes: 0,
		failures: [],
		starFailures: [],
		dropped: [],
		outcomes: { reviews: new Map(), 'review-data': new Map() },
	};
}

/** Counts one request to the service. */
export function countRequests(
	tally: Tally,
	{ operation, pids, attempt, bytes, durationMs }: RequestFacts,
): void {
	tally.requests += 1;
	tally.operations[operation] += 1;
	if (attempt > 1) tally.retries += 1;
	tally.bytes += bytes;
	const resource = RESOURCES[operation];
	for (const pid of resource ? pids : []) {
		const outcome = outcomeOf(tally.outcomes[resource as Resource], pid);
		outcome.ms += durationMs;
		outcome.bytes += bytes;
	}
}

/** Notes what a product came to. What is current in the store does not hide what was done for it before. */
export function settleProduct(
	tally: Tally,
	resource: Resource,
	pid: string,
	status: Status,
	reason?: string,
): void {
	const outcome = outcomeOf(tally.outcomes[resource], pid);
	if (status === 'unchanged' && outcome.status) return;
	outcome.status = status;
	if (reason !== undefined) outcome.reason = reason;
}

/** Whether it is known that the store has what a build shows of a product. */
export function isSettled({ outcomes }: Pick<Tally, 'outcomes'>, resource: Resource, pid: string): boolean {
	const status = outcomes[resource].get(pid)?.status;
	return status === 'fetched' || status === 'unchanged' || status === 'missing';
}

const RESOURCES: Readonly<Record<RequestFacts['operation'], Resource | undefined>> = {
	starRating: undefined,
	productReviewData: 'review-data',
	crawlerReviews: 'reviews',
};

function outcomeOf(outcomes: Map<string, Outcome>, pid: string): Outcome {
	let outcome = outcomes.get(pid);
	if (!outcome) {
		outcome = { status: undefined, ms: 0, bytes: 0 };
		outcomes.set(pid, outcome);
	}
	return outcome;
}
