export type { ReviewData } from '../parse/review-data.js';
export { type ReviewsLoaderOptions, reviewsLoader } from './reviews-loader.js';
