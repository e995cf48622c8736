import { AstroError } from 'astro/errors';

/** Ways in which a product's reviews do not come, as `docs/failures.md` explains them. */
export const FAILURE_KINDS = [
	'network',
	'timeout',
	'server-error',
	'rate-limited',
	'refused',
	'client-error',
	'foreign-answer',
	'unreadable',
	'wrong-product',
	'vanished',
	'other',
] as const;

export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A final answer of the service: the request, or who sent it, is wrong. */
export interface Refusal {
	readonly status: number;
	readonly operation: 'starRating' | 'productReviewData' | 'crawlerReviews' | undefined;
}

/**
 * Base of all errors of this integration. `message` is the fact, `hint` what to do; Astro prints both.
 * No error holds a token.
 */
class ProductReviewsError extends AstroError {
	override name = 'ProductReviewsError';

	constructor(message: string, hint: string, options: { cause?: unknown } = {}) {
		super(message, hint);
		if (options.cause !== undefined) this.cause = options.cause;
	}
}

/** An option or an environment variable is missing or wrong. */
export class ProductReviewsConfigurationError extends ProductReviewsError {
	override name = 'ProductReviewsConfigurationError';
}

/** The product list throws, is empty or holds something other than product ids. */
export class ProductListError extends ProductReviewsError {
	override name = 'ProductListError';
}

/** The service's answer for one product cannot be read as reviews. It never replaces a stored payload. */
export class ReviewPayloadError extends ProductReviewsError {
	override name = 'ReviewPayloadError';
}

/** The service did not answer for one product, or not with its reviews. */
export class ReviewServiceError extends ProductReviewsError {
	override name = 'ReviewServiceError';

	/** What the service refused, where it did. */
	readonly refusal: Refusal | undefined;
	/** In which way it failed. */
	readonly kind: FailureKind;

	constructor(
		message: string,
		hint: string,
		options: { cause?: unknown; refusal?: Refusal | undefined; kind?: FailureKind } = {},
	) {
		super(message, hint, options);
		this.refusal = options.refusal;
		this.kind = options.kind ?? 'other';
	}
}

/** The thread that asks the service died, and so did the one after it. */
export class ServiceThreadEndedError extends ReviewServiceError {
	override name = 'ServiceThreadEndedError';
}

/** Pages break rules of search engines, and `audit` asks for the build to fail. */
export class ReviewAuditError extends ProductReviewsError {
	override name = 'ReviewAuditError';
}

/** Products have no reviews to show because the service failed, and `onError` asks for the build to fail. */
export class ReviewsUnavailableError extends ProductReviewsError {
	override name = 'ReviewsUnavailableError';

	/** The products without reviews. */
	readonly pids: readonly string[];

	constructor(pids: readonly string[], message: string, hint: string, options: { cause?: unknown } = {}) {
		super(message, hint);
		if (options.cause !== undefined) this.cause = options.cause;
		this.pids = pids;
	}
}
