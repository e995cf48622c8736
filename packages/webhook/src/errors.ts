/** An unusable secret, header name or other setting. The message never repeats a secret. */
export class WebhookConfigurationError extends Error {
	override name = 'WebhookConfigurationError';
}

/** Once a parser has read a body, its bytes are gone, and the parsed value cannot be verified. */
export function bodyWasRead(): WebhookConfigurationError {
	return new WebhookConfigurationError(
		'The body of the event was read before it reached the webhook handler. Put the route before express.json() and other body parsers, or use express.raw({ type: "application/json" }) for it.',
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

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
