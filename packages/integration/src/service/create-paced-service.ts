import { createReviewsClient, type ReviewsClientOptions, ReviewsTimeoutError } from 'product-reviews-client';
import { createAdaptiveConcurrency } from './create-adaptive-concurrency.js';
import { type Attach, createReviewService } from './create-review-service.js';
import type { ReviewService } from './review-service.js';

/**
 * Asks the service in this thread, with fewer requests at once while it does not keep up.
 *
 * @param most requests in flight at once.
 * @param attach as {@link createReviewService} takes it.
 * @throws ReviewsConfigurationError for an option that cannot be used.
 */
export function createPacedService(
	options: ReviewsClientOptions,
	most: number,
	attach?: Attach,
): ReviewService {
	const { observe, current } = createAdaptiveConcurrency({ most });
	const client = createReviewsClient({
		...options,
		onRequest(event) {
			const { status, durationMs, error } = event;
			observe({ status, durationMs, timedOut: error instanceof ReviewsTimeoutError });
			options.onRequest?.(event);
		},
	});
	// Who wants no request tried again wants no product asked for again.
	return createReviewService(client, most, current, options.retries !== 0, attach);
}
