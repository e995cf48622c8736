import { createReviewsClient, ReviewsConfigurationError } from 'product-reviews-client';
import { ENVIRONMENT } from '../constants.js';
import { ConfigurationError } from '../errors.js';
import { type Connection, toClientOptions } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { RequestFacts, ReviewService } from './review-service.js';
import { startServiceThread } from './start-service-thread.js';

/**
 * Starts to ask the service that the options describe.
 * @throws ConfigurationError where the address or another option cannot be used.
 */
export function startReviewService(
	connection: Connection,
	options: ProductReviewsOptions,
	onRequest: (facts: RequestFacts) => void = () => {},
): ReviewService {
	if (options.authorizeCrawlerHtml && !connection.token) {
		throw new ConfigurationError(
			'The option "authorizeCrawlerHtml" is on, and there is no token to send.',
			`Set the option "token" of productReviews(), or ${ENVIRONMENT.token} in the environment or in .env.`,
		);
	}
	const clientOptions = toClientOptions(connection, options);
	try {
		// The client checks its options when it is made; the thread makes its own.
		createReviewsClient({ ...clientOptions, token: connection.token });
	} catch (cause) {
		if (!(cause instanceof ReviewsConfigurationError)) throw cause;
		const where = options.baseUrl ? 'the option "baseUrl" of productReviews()' : ENVIRONMENT.baseUrl;
		throw new ConfigurationError(cause.message, `It is ${where}. An example: "https://reviews.example".`, {
			cause,
		});
	}
	return startServiceThread(clientOptions, connection.token, options.concurrency, onRequest);
}
