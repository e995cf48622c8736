/** The errors of this package, for programs that tell them apart without making requests. */
export type { ReviewsErrorCode } from './reviews-errors.js';
export {
	type PauseReason,
	type ResponseErrorReason,
	ReviewsConfigurationError,
	ReviewsError,
	type ReviewsErrorDetails,
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
	type TimeoutScope,
} from './reviews-errors.js';
