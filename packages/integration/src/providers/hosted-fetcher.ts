import { createReviewsClient, type ReviewsClientOptions } from 'product-reviews-client';
import { codeOf } from '../base/failures.js';
import { createHostedCalls } from './hosted-reviews.js';
import { createReviewFetcher, type RequestFacts, type ReviewFetcher } from './review-fetcher.js';

/** Describes how the hosted service is asked. Without the token, so that a thread can take it. */
export type HostedClient = Omit<
	ReviewsClientOptions,
	'token' | 'fetch' | 'now' | 'monotonicNow' | 'sleep' | 'random' | 'onRequest'
>;

export interface HostedContext extends Pick<ReviewsClientOptions, 'token'> {
	readonly onRequest?: ((facts: RequestFacts) => void) | undefined;
}

/** Fetches from the hosted service in this thread. */
export function createHostedFetcher(
	client: HostedClient,
	{ token, onRequest }: HostedContext,
): ReviewFetcher {
	return createReviewFetcher(
		createHostedCalls(
			createReviewsClient({
				...client,
				token,
				onRequest: ({ error, ...facts }) => onRequest?.(error ? { ...facts, code: codeOf(error) } : facts),
			}),
		),
	);
}
