/** Names a kind of problem, for programs and for `npx astro-product-reviews explain`. */
export type WebhookErrorCode =
	| 'PR_WEBHOOK_SECRET'
	| 'PR_WEBHOOK_OPTIONS'
	| 'PR_WEBHOOK_BODY_READ'
	| 'PR_CHANGES_UNUSABLE'
	| 'PR_UPDATE_FAILED'
	| 'PR_FORWARD_FAILED'
	| 'PR_REDIS_UNREACHABLE';

/** An error of a receiver. The message never repeats a secret. */
export class WebhookError extends Error {
	override name = 'WebhookError';
	readonly code: WebhookErrorCode;

	constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}

/** An unusable secret, header name or other setting. */
export class WebhookConfigurationError extends WebhookError {
	override name = 'WebhookConfigurationError';

	constructor(message: string, options: ErrorOptions & { code?: WebhookErrorCode } = {}) {
		const { code = 'PR_WEBHOOK_OPTIONS', ...others } = options;
		super(code, message, others);
	}
}

/** Timers take a signed 32-bit number. */
export const MAX_NUMBER = 2_147_483_647;

/** Comparisons with NaN are always false, so it would disable a limit or a delay. */
export function checkNumber(name: string, value: unknown, min: number): void {
	if (typeof value === 'number' && value >= min && value <= MAX_NUMBER) return;
	throw new WebhookConfigurationError(`The option "${name}" must be a number from ${min} to ${MAX_NUMBER}.`);
}

export function count(value: number, noun: string): string {
	return `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`;
}

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
