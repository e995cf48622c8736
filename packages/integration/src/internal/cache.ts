export { isSameRating, type KnownRating, NO_RATING } from '../cache/known-rating.js';
