import type { RequestEvent } from 'product-reviews-client';
import type { DroppedParts } from '../payload/dropped-parts.js';
import type { Packed } from '../store/pack.js';
import type { Resource } from '../store/review-store.js';

/** What is counted of a request to the service. */
export type RequestFacts = Pick<RequestEvent, 'attempt' | 'bytes'>;

/** What was made of the service's answer for one product. */
export interface Fetched {
	readonly packed: Packed;
	/** What could not be read of it. */
	readonly dropped: DroppedParts;
}

/** Asks the review service for products, as many at once as the option `concurrency` says. */
export interface ReviewService {
	/** @throws Error that says what the service did, or what is wrong with its answer. */
	fetch(resource: Resource, pid: string): Promise<Fetched>;
	/** Moves a product that waits for its turn to the front. */
	hurry(resource: Resource, pid: string): void;
	/** Ends it; what still waits fails. */
	close(): Promise<void>;
}
