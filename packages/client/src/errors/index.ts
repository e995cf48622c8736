/** The errors of this package, for programs that tell them apart without making requests. */
export type { ReviewsErrorCode } from './error-code.js';
export { ReviewsConfigurationError } from './reviews-configuration-error.js';
export { ReviewsError, type ReviewsErrorDetails } from './reviews-error.js';
export { ReviewsHttpError } from './reviews-http-error.js';
export { ReviewsNetworkError } from './reviews-network-error.js';
export { type PauseReason, ReviewsPausedError } from './reviews-paused-error.js';
export { type ResponseErrorReason, ReviewsResponseError } from './reviews-response-error.js';
export { ReviewsTimeoutError, type TimeoutScope } from './reviews-timeout-error.js';
