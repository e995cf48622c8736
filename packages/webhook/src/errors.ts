/** A secret, header name or other setting that cannot be used. The message never repeats a secret. */
export class WebhookConfigurationError extends Error {
	override name = 'WebhookConfigurationError';
}

/** The bytes of a body that a parser has read are gone, and what it made of them cannot be verified. */
export function bodyWasRead(): WebhookConfigurationError {
	return new WebhookConfigurationError(
		'The body of the event was read before it came to the webhook handler. Put its route before express.json() and other body parsers, or give it express.raw({ type: "application/json" }).',
	);
}

/**
 * A number that has to be right: a comparison with NaN would let everything through, or wait for nothing.
 * @throws WebhookConfigurationError for anything but a finite number of at least `least`.
 */
export function checkNumber(name: string, value: unknown, least: number): void {
	if (typeof value === 'number' && Number.isFinite(value) && value >= least) return;
	throw new WebhookConfigurationError(`The option "${name}" is not a number of at least ${least}.`);
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
