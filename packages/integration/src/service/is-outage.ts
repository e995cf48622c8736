import {
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsTimeoutError,
} from 'product-reviews-client';

/** Whether an error says that the service is down, and not that one product is wrong. */
export function isOutage(error: unknown): boolean {
	if (error instanceof ReviewsHttpError) return error.status >= 500 || error.status === 429;
	return (
		error instanceof ReviewsTimeoutError ||
		error instanceof ReviewsNetworkError ||
		error instanceof ReviewsPausedError
	);
}
