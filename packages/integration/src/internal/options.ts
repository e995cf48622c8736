export { checkAddress } from '../options/check-address.js';
export { type Connection, resolveConnection, toClientOptions } from '../options/connection.js';
export { parseOptions } from '../options/parse-options.js';
export type { ProductReviewsOptions, ProductSource } from '../options/schema.js';
