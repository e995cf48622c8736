/** The three documented operations: method and path, relative to the base URL. */
export const OPERATIONS = {
	starRating: { method: 'POST', path: '/api/v1/getStarRating' },
	productReviewData: { method: 'POST', path: '/api/v1/getProductReviewData' },
	crawlerReviews: { method: 'GET', path: '/api/llmRvwHTML' },
} as const;

/** The name of one of the three operations. */
export type Operation = keyof typeof OPERATIONS;

/** The `id` of the service's JSON-LD script element. */
export const SCHEMA_SCRIPT_ID = 'ServiceReviewSchemaJson';
