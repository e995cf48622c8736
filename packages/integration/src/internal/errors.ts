export { ERROR_CATALOGUE, type ErrorCode } from '../errors/catalogue.js';
export { errorReference, explainCommand } from '../errors/reference.js';
export { CommandError, ProductReviewsConfigurationError, ProductReviewsError } from '../errors.js';
