import { WebhookConfigurationError } from '../errors.js';
import { decodeBase64 } from './decode-base64.js';

const PREFIX = 'whsec_';
/** Length of a secret, in bytes: Standard Webhooks 1.0.0, "Signature scheme". */
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/**
 * Decodes one or several Standard Webhooks secrets.
 * @param secrets `whsec_` followed by the base64 of 24 to 64 bytes; the prefix is optional.
 * @throws WebhookConfigurationError that identifies a wrong secret by its position, without repeating it.
 */
export function readSecrets(
	secrets: string | readonly string[] | undefined,
): readonly Uint8Array<ArrayBuffer>[] {
	const all = typeof secrets === 'string' ? [secrets] : secrets;
	if (!Array.isArray(all) || all.length === 0) throw wrongSecret('is missing');
	return all.map((secret, index) => {
		const which = all.length === 1 ? '' : ` (number ${index + 1} of ${all.length})`;
		if (typeof secret !== 'string' || secret.trim() === '') throw wrongSecret(`is empty${which}`);
		const text = secret.trim();
		const key = decodeBase64(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);
		if (!key) throw wrongSecret(`is not base64${which}`);
		if (key.length < LEAST_BYTES || key.length > MOST_BYTES) {
			throw wrongSecret(`has ${key.length} bytes${which}`);
		}
		return key;
	});
}

function wrongSecret(problem: string): WebhookConfigurationError {
	return new WebhookConfigurationError(
		`The webhook secret ${problem}. Expected "${PREFIX}" followed by the base64 of ${LEAST_BYTES} to ${MOST_BYTES} bytes, as shown by the review service.`,
		{ code: 'PR_WEBHOOK_SECRET' },
	);
}
