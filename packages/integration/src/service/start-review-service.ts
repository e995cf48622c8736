import { ENVIRONMENT } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { BASE_URL_OPTION, type Connection, checkAddress, toClientOptions } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { type ServiceThread, startServiceThread, type ThreadContext } from './start-service-thread.js';

/** What differs between callers. */
interface ReviewServiceContext extends Pick<Partial<ThreadContext>, 'onRequest' | 'goesOn' | 'warn'> {
	/** Longest pause requested by the service that is honored, in milliseconds. @default a year */
	readonly maxPause?: number;
}

/**
 * Starts the thread for the service that the options describe.
 * @throws ProductReviewsConfigurationError if the address or another option is invalid.
 */
export function startReviewService(
	connection: Connection,
	options: ProductReviewsOptions,
	{ maxPause, ...context }: ReviewServiceContext = {},
): ServiceThread {
	if (options.authorizeCrawlerHtml && !connection.token) {
		throw new ProductReviewsConfigurationError(
			'PR_MISSING_TOKEN',
			'The option "authorizeCrawlerHtml" is on, but there is no token to send.',
			`Set the option "token" of productReviews(), or ${ENVIRONMENT.token} in the environment or in .env.`,
		);
	}
	if (options.revalidate === 'ratings' && !connection.token) {
		throw new ProductReviewsConfigurationError(
			'PR_MISSING_TOKEN',
			'The option "revalidate" is "ratings", but there is no token to request ratings with.',
			`Set the option "token" of productReviews(), or ${ENVIRONMENT.token} in the environment or in .env; or leave "revalidate" out.`,
		);
	}
	checkAddress(
		connection.baseUrl,
		options.allowHttp,
		options.baseUrl?.trim() ? BASE_URL_OPTION : ENVIRONMENT.baseUrl,
	);
	const clientOptions = { ...toClientOptions(connection, options), maxPause };
	return startServiceThread(clientOptions, {
		onRequest: () => {},
		...context,
		token: connection.token,
	});
}
