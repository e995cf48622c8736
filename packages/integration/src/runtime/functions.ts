/** The exports of `virtual:product-reviews`. */
export const PUBLIC_FUNCTIONS = [
	'getProductReviews',
	'getStarRating',
	'getReviewData',
	'reviewsCacheKey',
	'forgetReviews',
] as const;

/** Functions for components only. Add a new function to one of these lists, and to `virtual.d.ts`. */
export const COMPONENT_FUNCTIONS = [
	'fragmentHtml',
	'ownListHtml',
	'reviewSectionParts',
	'reviewEntry',
] as const;
