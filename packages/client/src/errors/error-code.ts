/** Names a kind of problem, for programs and for `npx astro-product-reviews explain`. */
export type ReviewsErrorCode =
	| 'PR_INVALID_OPTIONS'
	| 'PR_INVALID_ADDRESS'
	| 'PR_INVALID_PRODUCT_ID'
	| 'PR_MISSING_TOKEN'
	| 'PR_TOKEN_UNUSABLE'
	| 'PR_SERVICE_UNREACHABLE'
	| 'PR_SERVICE_TIMEOUT'
	| 'PR_SERVICE_ERROR'
	| 'PR_RATE_LIMITED'
	| 'PR_REQUEST_REFUSED'
	| 'PR_REQUEST_REJECTED'
	| 'PR_FOREIGN_ANSWER'
	| 'PR_UNREADABLE_ANSWER'
	| 'PR_WRONG_PRODUCT'
	| 'PR_SERVICE_PAUSED';

/** The code of an answer with a status other than 200. */
export function codeOfStatus(status: number): ReviewsErrorCode {
	const own = CODES_OF_STATUS.get(status);
	if (own) return own;
	if (status >= 400 && status <= 499) return 'PR_REQUEST_REJECTED';
	return status >= 500 && status <= 599 ? 'PR_SERVICE_ERROR' : 'PR_UNREADABLE_ANSWER';
}

const CODES_OF_STATUS: ReadonlyMap<number, ReviewsErrorCode> = new Map([
	[400, 'PR_REQUEST_REFUSED'],
	[401, 'PR_REQUEST_REFUSED'],
	[403, 'PR_REQUEST_REFUSED'],
	[408, 'PR_SERVICE_TIMEOUT'],
	[429, 'PR_RATE_LIMITED'],
]);
