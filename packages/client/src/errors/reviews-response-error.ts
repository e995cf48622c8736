import { ReviewsError, type ReviewsErrorDetails } from './reviews-error.js';

/**
 * What is wrong with an answer:
 * - `redirect`: it leads somewhere else than the service's own origin, or too often
 * - `foreign`: a 404 that the service did not write itself, such as the page of a gateway
 * - `content-encoding`: it is compressed more than once
 * - `too-large`: it is longer than `maxResponseBytes`
 * - `too-complex`: it nests deeper, or holds more values or names of fields, than any answer of its length should
 * - `not-utf8`, `not-json`: it cannot be read
 * - `unsuccessful`: its body says `success: false`, or a `status` other than 200
 * - `schema`: a field that is needed is missing or of another type
 * - `wrong-product`: it is about another product
 * - `missing-part`: `html` or `jsonld` was asked for and is not there
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

/**
 * An answer came and cannot be used. It is never asked for again: the same answer is to be expected.
 *
 * @example if (error instanceof ReviewsResponseError && error.reason === 'too-large') raiseTheLimit();
 */
export class ReviewsResponseError extends ReviewsError {
	override name = 'ReviewsResponseError';
	/** What is wrong with the answer. */
	readonly reason: ResponseErrorReason;

	constructor(message: string, details: ReviewsErrorDetails & { reason: ResponseErrorReason }) {
		super(message, details);
		this.reason = details.reason;
	}
}
