export type { ReviewData } from '../parse/record.js';
export { type ReviewsLoaderOptions, reviewsLoader } from './reviews-loader.js';
