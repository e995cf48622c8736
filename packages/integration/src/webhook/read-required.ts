import { WebhookConfigurationError } from 'product-reviews-webhook';

/** Reads an environment variable. */
export type ReadVariable = (name: string) => string | undefined;

/** @throws WebhookConfigurationError names the variable where it is not set. */
export function readRequired(name: string, readVariable: ReadVariable): string {
	const value = readVariable(name)?.trim();
	if (!value) throw new WebhookConfigurationError(`${name} is not set.`);
	return value;
}
