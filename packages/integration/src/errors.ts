/** The code of a kind of problem. Not its keys: declarations of a package do not import JSON. A test compares both. */
export type ErrorCode = `PR_${string}`;

/**
 * Reasons why a product's reviews could not be fetched, and the code of each. The page `builds/failures` of the documentation
 * explains them.
 */
export const CODES_OF_KINDS = {
	network: 'PR_SERVICE_UNREACHABLE',
	timeout: 'PR_SERVICE_TIMEOUT',
	'server-error': 'PR_SERVICE_ERROR',
	'rate-limited': 'PR_RATE_LIMITED',
	refused: 'PR_REQUEST_REFUSED',
	'client-error': 'PR_REQUEST_REJECTED',
	'foreign-answer': 'PR_FOREIGN_RESPONSE',
	unreadable: 'PR_UNREADABLE_RESPONSE',
	'wrong-product': 'PR_WRONG_PRODUCT',
	vanished: 'PR_REVIEWS_VANISHED',
	other: 'PR_SERVICE_FAILED',
} as const satisfies Readonly<Record<string, ErrorCode>>;

export type FailureKind = keyof typeof CODES_OF_KINDS;

/** A final answer of the service: the request or its credentials are wrong. */
export interface Refusal {
	readonly status: number;
	readonly operation: 'starRating' | 'productReviewData' | 'crawlerReviews' | undefined;
}

/**
 * Base of all errors of this integration. `message` says what happened, `hint` what to do and where the code is explained;
 * Astro prints both. Errors never contain a token. They are what `AstroError` of `astro/errors` makes, without Astro:
 * commands do not load it.
 */
export class ProductReviewsError extends Error {
	override name = 'ProductReviewsError';
	/** Lets Astro recognize errors with a hint. */
	readonly type = 'AstroUserError';
	/** Names the kind of problem in the documentation. */
	readonly code: ErrorCode;
	readonly hint: string;

	constructor(code: ErrorCode, message: string, hint: string, options: { cause?: unknown } = {}) {
		super();
		// Not in the stack, because Astro prints both.
		this.message = message;
		this.code = code;
		this.hint = `${hint}\n${errorReference(code)}`;
		if (options.cause !== undefined) this.cause = options.cause;
	}
}

/** The project is not set up right: an option, an environment variable, the product list, or a version that is too old. */
export class ProductReviewsConfigurationError extends ProductReviewsError {
	override name = 'ProductReviewsConfigurationError';
}

/** A command cannot do what the command line says. */
export class CommandError extends ProductReviewsError {
	override name = 'CommandError';
}

/** A page gave a component or a function something that it does not take. */
export class InvalidPropError extends TypeError {
	readonly type = 'AstroUserError';
	readonly code: ErrorCode;
	readonly hint: string;

	constructor(message: string, code: ErrorCode = 'PR_INVALID_PROP') {
		super(message);
		this.code = code;
		this.hint = `Change the value on the page that gives it.\n${errorReference(code)}`;
	}
}

/** The service's answer for one product cannot be read as reviews. It never replaces a stored payload. */
export class ReviewPayloadError extends ProductReviewsError {
	override name = 'ReviewPayloadError';

	constructor(message: string, hint: string, options: { cause?: unknown } = {}) {
		super('PR_UNREADABLE_RESPONSE', message, hint, options);
	}
}

/** The service did not answer for one product, or answered without its reviews. */
export class ReviewServiceError extends ProductReviewsError {
	override name = 'ReviewServiceError';

	/** Status and operation of a refusal; `undefined` for other failures. */
	readonly refusal: Refusal | undefined;
	readonly kind: FailureKind;

	constructor(
		message: string,
		hint: string,
		options: { cause?: unknown; refusal?: Refusal | undefined; kind?: FailureKind; code?: ErrorCode } = {},
	) {
		const { kind = 'other' } = options;
		super(options.code ?? CODES_OF_KINDS[kind], message, hint, options);
		this.refusal = options.refusal;
		this.kind = kind;
	}
}

/** Writes the last line of a hint: the code, and the command that explains the code. */
function errorReference(code: ErrorCode): string {
	return `${code}: ${explainCommand(code)}`;
}

export function explainCommand(code: ErrorCode): string {
	return `npx astro-product-reviews explain ${code}`;
}
