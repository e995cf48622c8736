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

/** What the service says of the ratings of a list of products, by id. One that it knows nothing of is not in it. */
export type Ratings = ReadonlyMap<
	string,
	{ readonly average: number; readonly count: number; readonly questionCount: number | undefined }
>;

/** Asks the review service for products, as many at once as the option `concurrency` says. */
export interface ReviewService {
	/** @throws Error that says what the service did, or what is wrong with its answer. */
	fetch(resource: Resource, pid: string): Promise<Fetched>;
	/** Asks for the ratings of at most 100 products. @throws Error that says what the service did. */
	fetchRatings(pids: readonly string[]): Promise<Ratings>;
	/** Moves a product that waits for its turn to the front. */
	hurry(resource: Resource, pid: string): void;
	/** Ends it; what still waits fails. */
	close(): Promise<void>;
}
