/** Why a product's reviews could not be fetched. The page `builds/failures` of the documentation explains each. */
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

/** A final answer of the service: the request or its credentials are wrong. */
export interface Refusal {
	readonly status: number;
	readonly operation: 'starRating' | 'productReviewData' | 'crawlerReviews' | undefined;
}

/**
 * Base of all errors of this integration. `message` says what happened, `hint` what to do; Astro prints both. Errors never
 * contain a token. They are what `AstroError` of `astro/errors` makes, without Astro: commands do not load it.
 */
class ProductReviewsError extends Error {
	override name = 'ProductReviewsError';
	/** How Astro recognises errors with a hint. */
	readonly type = 'AstroUserError';
	readonly hint: string;

	constructor(message: string, hint: string, options: { cause?: unknown } = {}) {
		super();
		// Not in the stack, because Astro prints both.
		this.message = message;
		this.hint = hint;
		if (options.cause !== undefined) this.cause = options.cause;
	}
}

/** An option or an environment variable is missing or invalid. */
export class ProductReviewsConfigurationError extends ProductReviewsError {
	override name = 'ProductReviewsConfigurationError';
}

/** The product list throws, is empty, or contains anything other than product ids. */
export class ProductListError extends ProductReviewsError {
	override name = 'ProductListError';
}

/** The service's answer for one product cannot be read as reviews. It never replaces a stored payload. */
export class ReviewPayloadError extends ProductReviewsError {
	override name = 'ReviewPayloadError';
}

/** The service did not answer for one product, or answered without its reviews. */
export class ReviewServiceError extends ProductReviewsError {
	override name = 'ReviewServiceError';

	/** What the service refused; `undefined` for other failures. */
	readonly refusal: Refusal | undefined;
	/** How it failed. */
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

/** The thread that talks to the service died, and so did its replacement. */
export class ServiceThreadEndedError extends ReviewServiceError {
	override name = 'ServiceThreadEndedError';
}

/** Pages break rules of search engines, and `audit` is 'error'. */
export class ReviewAuditError extends ProductReviewsError {
	override name = 'ReviewAuditError';
}

/** Products have no reviews to show because the service failed, and `onError` makes that fail the build. */
export class ReviewsUnavailableError extends ProductReviewsError {
	override name = 'ReviewsUnavailableError';

	/** The products without reviews. */
	readonly pids: readonly string[];

	constructor(pids: readonly string[], message: string, hint: string, options: { cause?: unknown } = {}) {
		super(message, hint, options);
		this.pids = pids;
	}
}
