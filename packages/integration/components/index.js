export { default as ProductReviews } from './ProductReviews.astro';
export { default as ReviewSchema } from './ReviewSchema.astro';
export { default as StarRating } from './StarRating.astro';
