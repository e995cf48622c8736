/** Names a kind of problem, for programs and for `npx astro-product-reviews explain`. */
export type WebhookErrorCode =
	| 'PR_WEBHOOK_SECRET'
	| 'PR_WEBHOOK_OPTIONS'
	| 'PR_WEBHOOK_BODY_READ'
	| 'PR_CHANGES_UNUSABLE'
	| 'PR_REBUILD_FAILED'
	| 'PR_FORWARD_FAILED'
	| 'PR_REDIS_UNREACHABLE';

/** An error of a receiver. */
export class WebhookError extends Error {
	override name = 'WebhookError';
	/** Names the kind of problem. */
	readonly code: WebhookErrorCode;

	constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}

/** An unusable secret, header name or other setting. The message never repeats a secret. */
export class WebhookConfigurationError extends WebhookError {
	override name = 'WebhookConfigurationError';

	constructor(message: string, options: ErrorOptions & { code?: WebhookErrorCode } = {}) {
		const { code = 'PR_WEBHOOK_OPTIONS', ...others } = options;
		super(code, message, others);
	}
}

/** Once a parser has read a body, its bytes are gone, and the parsed value cannot be verified. */
export function bodyWasRead(): WebhookConfigurationError {
	return new WebhookConfigurationError(
		'The body of the event was read before it reached the webhook handler. Put the route before express.json() and other body parsers, or use express.raw({ type: "application/json" }) for it.',
		{ code: 'PR_WEBHOOK_BODY_READ' },
	);
}

/**
 * Checks a number. Comparisons with NaN are always false, so it would disable a limit or a delay.
 * @throws WebhookConfigurationError for anything but a finite number of at least `least`.
 */
export function checkNumber(name: string, value: unknown, least: number): void {
	if (typeof value === 'number' && Number.isFinite(value) && value >= least) return;
	throw new WebhookConfigurationError(`The option "${name}" must be a number of at least ${least}.`);
}

/** The message of whatever was thrown, and its code, if it has one of ours. */
export function messageOf(error: unknown): string {
	if (error instanceof WebhookError) return `${error.message} [${error.code}]`;
	return error instanceof Error ? error.message : String(error);
}

/** Wraps a listener so that its errors have no effect on the caller. */
export function quietly<Args extends unknown[]>(
	listener: ((...args: Args) => void) | undefined,
): (...args: Args) => void {
	return (...args) => {
		try {
			listener?.(...args);
		} catch {
			// The listener itself is where errors are reported.
		}
	};
}
