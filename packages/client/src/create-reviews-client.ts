import type { Operation } from './contract/index.js';
import { ReviewsConfigurationError } from './errors/index.js';
import { createSender } from './http/create-sender.js';
import { createTokenSource } from './http/create-token-source.js';
import { checkPid } from './operations/check-pid.js';
import { type CrawlerReviewsRequestOptions, getCrawlerReviews } from './operations/get-crawler-reviews.js';
import { getProductReviewData } from './operations/get-product-review-data.js';
import { getStarRatings } from './operations/get-star-ratings.js';
import type { RequestOptions } from './operations/request-options.js';
import { requireToken } from './operations/require-token.js';
import { resolveOptions } from './options/resolve-options.js';
import type { ReviewsClientOptions } from './options/reviews-client-options.js';
import { printable } from './printable.js';
import type { CrawlerReviews } from './records/crawler-reviews.js';
import type { ProductReviewData } from './records/product-review-data.js';
import type { StarRating } from './records/star-rating.js';

/** The three operations of the review service. All share the client's queue, breaker, pauses and retry budget. */
export interface ReviewsClient {
	/**
	 * Average rating and count of each product (operation 1). Needs a token. Products unknown to the service are missing
	 * from the map. Duplicates are requested once, and an empty list sends no request. Long lists are sent in parts of
	 * `maxListLength`, four at a time. A part that the service refuses with 413 or 400 is halved.
	 *
	 * @throws ReviewsError if a part ultimately fails, or the reason of `signal`.
	 * @example (await client.getStarRatings(['p-1', 'p-2'])).get('p-1')?.average
	 */
	getStarRatings(pids: Iterable<string>, options?: RequestOptions): Promise<Map<string, StarRating>>;
	/**
	 * Reviews, counts, media and questions of one product (operation 2). Needs a token. A product that the service
	 * does not know (404) has no reviews.
	 *
	 * @throws ReviewsError, or the reason of `signal`.
	 * @example (await client.getProductReviewData('p-1')).reviews.length
	 */
	getProductReviewData(pid: string, options?: RequestOptions): Promise<ProductReviewData>;
	/**
	 * Crawler-readable reviews of one product (operation 3). A product that the service does not know (404) has no
	 * reviews. The result is untrusted markup: parse it, never output it.
	 *
	 * @throws ReviewsError, or the reason of `signal`.
	 * @example (await client.getCrawlerReviews('p-1', { html: false })).jsonld
	 */
	getCrawlerReviews(
		pid: string,
		options?: CrawlerReviewsRequestOptions & { known?: undefined },
	): Promise<CrawlerReviews>;
	/**
	 * The same, for a caller that has an earlier answer: `'unchanged'` if the service reports that it is still current.
	 *
	 * @throws ReviewsError, or the reason of `signal`.
	 * @example
	 * const now = await client.getCrawlerReviews('p-1', { known: earlier.validators });
	 * const reviews = now === 'unchanged' ? earlier : now;
	 */
	getCrawlerReviews(
		pid: string,
		options: CrawlerReviewsRequestOptions,
	): Promise<CrawlerReviews | 'unchanged'>;
	/**
	 * Moves a waiting request about a product to the front of the queue, ahead of all that were moved earlier. It stays
	 * ahead if it is requeued. Does nothing if no such request waits.
	 *
	 * @example client.prioritize('crawlerReviews', 'p-1')
	 */
	prioritize(operation: Operation, pid: string): void;
}

/**
 * Creates a client of the review service. Create one per process and share it: requests in flight, pauses and the retry
 * budget are tracked per client.
 *
 * @throws ReviewsConfigurationError for an invalid option.
 * @example
 * const client = createReviewsClient({ baseUrl: 'https://reviews.example', wsid: 'W-1001' });
 * const { jsonld } = await client.getCrawlerReviews('p-1');
 */
export function createReviewsClient(options: ReviewsClientOptions): ReviewsClient {
	const tokens = createTokenSource(options.token);
	const settings = resolveOptions(options, (text, most) => printable(text, most, tokens.redact));
	if (settings.authorizeCrawlerReviews && !tokens.given) {
		throw new ReviewsConfigurationError(
			'The option authorizeCrawlerReviews is on, but there is no token to send. Give the option token, too.',
			'PR_MISSING_TOKEN',
		);
	}
	const { send, prioritize } = createSender(settings, tokens);
	const client = {
		async getStarRatings(pids: Iterable<string>, requestOptions: RequestOptions = {}) {
			const list = [...pids];
			list.forEach(checkPid);
			if (list.length === 0) return new Map<string, StarRating>();
			requireToken(tokens.given, 'getStarRatings');
			return getStarRatings(send, list, settings.maxListLength, requestOptions);
		},
		async getProductReviewData(pid: string, requestOptions: RequestOptions = {}) {
			requireToken(tokens.given, 'getProductReviewData');
			return getProductReviewData(send, pid, requestOptions);
		},
		async getCrawlerReviews(pid: string, requestOptions: CrawlerReviewsRequestOptions = {}) {
			return getCrawlerReviews(send, settings, pid, requestOptions);
		},
		prioritize,
	};
	// The compiler cannot see that it returns 'unchanged' only if `known` is given.
	return Object.freeze(client as ReviewsClient);
}
