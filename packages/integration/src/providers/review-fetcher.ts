import type { RequestOptions } from 'product-reviews-client/sender';
import { type Packed, packReviewData, packReviews } from '../cache/values.js';
import type { DroppedParts } from '../parse/field-reader.js';
import type { Ratings } from '../parse/rating.js';
import { isEmpty, type ProductReviews, type ReviewData } from '../parse/record.js';
import type { Resource } from '../reviews/parts.js';

/** A record of which nothing has to be checked any more. */
export interface Answer<Value> {
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

/** Asks a provider, the hosted service or another: throttled, tried again, within a time limit, and with checked answers. */
export interface ProviderCalls {
	reviews(pid: string, options?: KnownOptions): Promise<Answer<ProductReviews> | 'unchanged'>;
	reviewData(pid: string, options?: RequestOptions): Promise<Answer<ReviewData>>;
	ratings(pids: readonly string[], options?: RequestOptions): Promise<Ratings>;
	/** Moves a waiting request to the front. */
	prioritize(resource: Resource, pid: string): void;
}

export interface Fetched {
	readonly packed: Packed | undefined;
	readonly isEmpty: boolean;
	/** Parts that could not be read. */
	readonly dropped: DroppedParts;
	readonly validators: string | undefined;
}

/** Fetches records as the cache keeps them, in this thread or in another. */
export interface ReviewFetcher {
	fetch(resource: Resource, pid: string, validators?: string): Promise<Fetched>;
	fetchRatings(pids: readonly string[]): Promise<Ratings>;
	prioritize(resource: Resource, pid: string): void;
	/** Ends all requests. Pending and later ones fail. */
	close(reason?: Error): Promise<void>;
}

/**
 * Fetches products in this thread, and packs the answers. A product that failed is requested once more after all others.
 * Among many products, one is likely to fail at every try in a row, and would otherwise fail the build.
 */
export function createReviewFetcher(calls: ProviderCalls): ReviewFetcher {
	const abort = new AbortController();
	const { signal } = abort;
	const packed = <Value extends Parameters<typeof isEmpty>[0]>(
		{ value, dropped, validators }: Answer<Value>,
		pack: (value: Value) => Packed,
	): Fetched => ({ packed: pack(value), isEmpty: isEmpty(value), dropped, validators });

	return {
		async fetch(resource, pid, known) {
			const options = { signal, requeue: true };
			if (resource === 'review-data') return packed(await calls.reviewData(pid, options), packReviewData);
			const answer = await calls.reviews(pid, { ...options, known });
			if (answer !== 'unchanged') return packed(answer, packReviews);
			return { packed: undefined, isEmpty: false, dropped: {}, validators: known };
		},
		fetchRatings: (pids) => calls.ratings(pids, { signal }),
		prioritize: (resource, pid) => calls.prioritize(resource, pid),
		async close(reason = new Error('The build ended.')) {
			abort.abort(reason);
		},
	};
}
