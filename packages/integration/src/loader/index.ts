export type { ReviewData } from '../payload/review-data.js';
export { type ReviewsLoaderOptions, reviewsLoader } from './reviews-loader.js';
