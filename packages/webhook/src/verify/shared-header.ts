import { WebhookConfigurationError } from '../errors.js';
import type { Verifier } from './verifier.js';

/** Minimum length of a secret, so that it cannot be guessed. */
const LEAST_LENGTH = 16;

/**
 * Verifies requests from a sender that cannot sign but sends a fixed secret in a header. Secrets are compared in constant
 * time. This is weaker than {@link standardWebhooks}: anyone who sees one request can send others.
 *
 * @param name of the header.
 * @param secrets the secret, or several for rotation; at least 16 characters each.
 * @throws WebhookConfigurationError for an unusable name or secret.
 * @example sharedHeader('x-reviews-key', process.env.REVIEWS_WEBHOOK_KEY)
 */
export function sharedHeader(name: string, secrets: string | readonly string[] | undefined): Verifier {
	const all = typeof secrets === 'string' ? [secrets] : secrets;
	if (typeof name !== 'string' || !HEADER_NAME.test(name)) {
		throw new WebhookConfigurationError('The first argument of sharedHeader() must be the name of a header.');
	}
	if (!Array.isArray(all) || all.length === 0 || all.some((secret) => !isLongEnough(secret))) {
		throw new WebhookConfigurationError(
			`A secret of sharedHeader("${name}", ...) is missing or shorter than ${LEAST_LENGTH} characters.`,
			{ code: 'PR_WEBHOOK_SECRET' },
		);
	}
	const header = name.toLowerCase();
	// Prepared on the first request: some platforms do not allow random values while a module loads.
	let prepared: ReturnType<typeof prepare> | undefined;
	return {
		headers: [header],
		async verify({ headers }) {
			const given = encode(headers.get(header) ?? '');
			let isGenuine = false;
			prepared ??= prepare(all);
			const { key, digests } = await prepared;
			for (const digest of digests) {
				if (await crypto.subtle.verify('HMAC', key, digest, given)) isGenuine = true;
			}
			return isGenuine ? {} : undefined;
		},
	};
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Creates a random key and the secrets' digests under it. Comparing digests reveals nothing about the secrets. */
async function prepare(secrets: readonly string[]) {
	const key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
	const digests = secrets.map((secret) => crypto.subtle.sign('HMAC', key, encode(secret)));
	return { key, digests: await Promise.all(digests) };
}

function isLongEnough(secret: unknown): boolean {
	return typeof secret === 'string' && secret.trim().length >= LEAST_LENGTH;
}

/** Header values arrive without surrounding spaces, so secrets are trimmed too. */
function encode(text: string): Uint8Array<ArrayBuffer> {
	return new TextEncoder().encode(text.trim());
}
