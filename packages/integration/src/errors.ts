import { AstroError } from 'astro/errors';
import type { FailureKind } from './failures/failure-kind.js';
import type { Refusal } from './service/refusal.js';

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
export class ConfigurationError extends ProductReviewsError {
	override name = 'ProductReviewsConfigurationError';
}

/** The product list throws, is empty or holds something other than product ids. */
export class ProductListError extends ProductReviewsError {
	override name = 'ProductListError';
}

/** The service's answer for one product cannot be read as reviews. It never replaces a stored payload. */
export class PayloadError extends ProductReviewsError {
	override name = 'ReviewPayloadError';
}

/** The service did not answer for one product, or not with its reviews. */
export class ServiceError extends ProductReviewsError {
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
export class ThreadEndedError extends ServiceError {
	override name = 'ServiceThreadEndedError';
}

/** Pages break rules of search engines, and `audit` asks for the build to fail. */
export class AuditError extends ProductReviewsError {
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
