import { createReviewsClient, type RequestEvent, ReviewsConfigurationError, type ReviewsClient } from 'product-reviews-client';
import { ENVIRONMENT } from '../constants.js';
import { ConfigurationError } from '../errors.js';
import { type Connection, toClientOptions } from './connection.js';
import type { ProductReviewsOptions } from './schema.js';

/**
 * The client of the service that the options describe.
 * @throws ConfigurationError where the client refuses the address or another option.
 */
export function createService(
	connection: Connection,
	options: ProductReviewsOptions,
	onRequest?: (event: RequestEvent) => void,
): ReviewsClient {
	try {
		return createReviewsClient({ ...toClientOptions(connection, options), onRequest });
	} catch (cause) {
		if (!(cause instanceof ReviewsConfigurationError)) throw cause;
		const where = options.baseUrl ? 'the option "baseUrl" of productReviews()' : ENVIRONMENT.baseUrl;
		throw new ConfigurationError(cause.message, `It is ${where}. An example: "https://reviews.example".`, { cause });
	}
}
