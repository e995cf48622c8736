import type { ReviewsErrorCode } from './error-code.js';
import { ReviewsError, type ReviewsErrorDetails } from './reviews-error.js';

/**
 * What is wrong with a response:
 * - `redirect`: it redirects to another origin, or too often
 * - `foreign`: a 404 that is not from the service itself, such as a gateway's page
 * - `content-encoding`: it is compressed more than once
 * - `too-large`: it is longer than `maxResponseBytes`
 * - `too-complex`: it is nested deeper, or has more values or field names, than any response of its length should
 * - `not-utf8`, `not-json`: it cannot be decoded
 * - `unsuccessful`: its body has `success: false`, or a `status` other than 200
 * - `schema`: a required field is missing or of the wrong type
 * - `wrong-product`: it is about another product
 * - `missing-part`: `html` or `jsonld` was requested but is missing
 */
export type ResponseErrorReason =
	| 'redirect'
	| 'foreign'
	| 'content-encoding'
	| 'too-large'
	| 'too-complex'
	| 'not-utf8'
	| 'not-json'
	| 'unsuccessful'
	| 'schema'
	| 'wrong-product'
	| 'missing-part';

/** Of reasons that are more specific than an unreadable answer. */
const CODES_OF_REASONS: Readonly<Partial<Record<ResponseErrorReason, ReviewsErrorCode>>> = {
	redirect: 'PR_FOREIGN_ANSWER',
	foreign: 'PR_FOREIGN_ANSWER',
	'wrong-product': 'PR_WRONG_PRODUCT',
};

/**
 * The response is unusable. Such requests are never retried, because the same response is to be expected.
 *
 * @example if (error instanceof ReviewsResponseError && error.reason === 'too-large') raiseTheLimit();
 */
export class ReviewsResponseError extends ReviewsError {
	override name = 'ReviewsResponseError';
	/** What is wrong with the response. */
	readonly reason: ResponseErrorReason;

	constructor(message: string, details: ReviewsErrorDetails & { reason: ResponseErrorReason }) {
		super(CODES_OF_REASONS[details.reason] ?? 'PR_UNREADABLE_ANSWER', message, details);
		this.reason = details.reason;
	}
}
