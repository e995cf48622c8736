/** What `virtual:product-reviews` exports. */
export const PUBLIC_FUNCTIONS = [
	'getProductReviews',
	'getStarRating',
	'getReviewData',
	'reviewsCacheKey',
	'forgetReviews',
] as const;

/** What the components call besides. A new function is an entry in one of these lists, and a line in `virtual.d.ts`. */
export const COMPONENT_FUNCTIONS = [
	'fragmentHtml',
	'ownListHtml',
	'reviewSectionParts',
	'reviewEntry',
] as const;
