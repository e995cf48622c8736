import { resolveBaseUrl } from 'product-reviews-client/base-url';
import { ReviewsConfigurationError } from 'product-reviews-client/errors';
import { ProductReviewsConfigurationError } from '../errors.js';

/**
 * Checks the address of the service by the rules of the client.
 * @param where it was given, for the message.
 * @throws ProductReviewsConfigurationError if it is not just scheme and host, or not https.
 */
export function checkAddress(baseUrl: string, allowHttp: boolean, where: string): void {
	try {
		resolveBaseUrl(baseUrl, allowHttp);
	} catch (cause) {
		if (!(cause instanceof ReviewsConfigurationError)) throw cause;
		throw new ProductReviewsConfigurationError(
			'PR_INVALID_ADDRESS',
			cause.message,
			`It comes from ${where}. Expected an address such as "https://reviews.example".`,
			{
				cause,
			},
		);
	}
}

/** Origin of an address that is set in the Astro configuration. */
export const BASE_URL_OPTION = 'the option "baseUrl" of productReviews()';
