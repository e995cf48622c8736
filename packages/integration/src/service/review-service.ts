import type { KnownRating } from '../cache/packed.js';
import type { DroppedParts } from '../parse/field-reader.js';
import type { Resource } from '../store/review-store.js';
import type { Packed } from '../store/values.js';

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
