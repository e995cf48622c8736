export type { ErrorCode } from '../errors/catalogue.js';
export { errorPage, errorReference } from '../errors/reference.js';
export { CommandError, ProductReviewsConfigurationError, ProductReviewsError } from '../errors.js';
