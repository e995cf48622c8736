import {
	sharedHeader,
	standardWebhooks,
	type Verifier,
	WebhookConfigurationError,
} from 'product-reviews-webhook';
import { ENVIRONMENT } from '../constants.js';
import type { WebhookSettings } from '../options/webhook.js';
import { type ReadVariable, readRequired } from './read-required.js';

/**
 * How events prove that they come from the review service.
 * @throws WebhookConfigurationError names the variable that is missing, or what is wrong with its value.
 */
export function readVerifiers({ keyHeader }: WebhookSettings, readVariable: ReadVariable): Verifier[] {
	// Two secrets, with a space between them, while they change.
	const secrets = readVariable(ENVIRONMENT.webhookSecret)?.split(/\s+/).filter(Boolean) ?? [];
	const verifiers = [
		...(secrets.length > 0 ? [standardWebhooks(secrets)] : []),
		...(keyHeader ? [sharedHeader(keyHeader, readRequired(ENVIRONMENT.webhookKey, readVariable))] : []),
	];
	if (verifiers.length > 0) return verifiers;
	throw new WebhookConfigurationError(
		`${ENVIRONMENT.webhookSecret} is not set. Set it to the webhook secret that the review service shows (it begins with "whsec_").`,
	);
}
