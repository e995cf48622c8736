import type { Packed } from '../cache/values.js';
import type { DroppedParts } from '../parse/field-reader.js';
import { isEmpty } from '../parse/record.js';
import type { Resource } from '../reviews/parts.js';
import type { CheckedAnswer, CheckedProvider, Ratings } from './checked-provider.js';
import { packReviewData, packReviews } from './packed.js';

export interface Fetched {
	readonly packed: Packed | undefined;
	readonly isEmpty: boolean;
	/** Parts that could not be read. */
	readonly dropped: DroppedParts;
	readonly validators: string | undefined;
}

export interface ReviewService {
	fetch(resource: Resource, pid: string, validators?: string): Promise<Fetched>;
	fetchRatings(pids: readonly string[]): Promise<Ratings>;
	prioritize(resource: Resource, pid: string): void;
	/** Ends the service. Pending and later requests fail. */
	close(reason?: Error): Promise<void>;
}

/**
 * Requests products in this thread, and packs the answers. A product that failed is requested once more after all others.
 * Among many products, one is likely to fail at every try in a row, and would otherwise fail the build.
 */
export function createReviewService(provider: CheckedProvider): ReviewService {
	const abort = new AbortController();
	const { signal } = abort;
	const packed = <Value extends Parameters<typeof isEmpty>[0]>(
		{ value, dropped, validators }: CheckedAnswer<Value>,
		pack: (value: Value) => Packed,
	): Fetched => ({ packed: pack(value), isEmpty: isEmpty(value), dropped, validators });

	return {
		async fetch(resource, pid, known) {
			const options = { signal, requeue: true };
			if (resource === 'review-data') return packed(await provider.reviewData(pid, options), packReviewData);
			const answer = await provider.reviews(pid, { ...options, known });
			if (answer !== 'unchanged') return packed(answer, packReviews);
			return { packed: undefined, isEmpty: false, dropped: {}, validators: known };
		},
		fetchRatings: (pids) => provider.ratings(pids, { signal }),
		prioritize: (resource, pid) => provider.prioritize(resource, pid),
		async close(reason = new Error('The build ended.')) {
			abort.abort(reason);
		},
	};
}
