import type { RequestOptions } from 'product-reviews-client/sender';
import type { DroppedParts } from '../parse/field-reader.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import type { Resource } from '../reviews/parts.js';

export interface KnownRating {
	readonly average: number;
	readonly count: number;
	readonly questionCount: number | undefined;
}

/** The ratings of a list of products, by id. Products unknown to the provider are missing. */
export type Ratings = ReadonlyMap<string, KnownRating>;

/** A record of which nothing has to be checked any more. */
export interface CheckedAnswer<Value> {
	readonly value: Value;
	/** Parts that could not be read. */
	readonly dropped: DroppedParts;
	/** For `known` of the next request. */
	readonly validators?: string | undefined;
}

interface KnownOptions extends RequestOptions {
	/** `validators` of an earlier answer. If that is still current, the result is `'unchanged'`. */
	readonly known?: string | undefined;
}

/**
 * Where reviews come from, with everything that is the same wherever that is: answers are checked, requests are paced and
 * tried again, and failures are of a known kind.
 */
export interface CheckedProvider {
	reviews(pid: string, options?: KnownOptions): Promise<CheckedAnswer<ProductReviews> | 'unchanged'>;
	reviewData(pid: string, options?: RequestOptions): Promise<CheckedAnswer<ReviewData>>;
	ratings(pids: readonly string[], options?: RequestOptions): Promise<Ratings>;
	/** Moves a waiting request to the front. */
	prioritize(resource: Resource, pid: string): void;
}
