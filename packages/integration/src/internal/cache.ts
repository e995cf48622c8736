export { fromElsewhere } from '../cache/brought-rows.js';
export { PRODUCTS_PER_REQUEST } from '../cache/collect-ratings.js';
export { isSameRating, type KnownRating, NO_RATING } from '../cache/known-rating.js';
