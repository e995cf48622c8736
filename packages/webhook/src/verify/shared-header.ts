import { WebhookConfigurationError } from '../errors.js';
import type { Verifier } from './verifier.js';

/** Fewest characters of a secret that nobody guesses. */
const LEAST_LENGTH = 16;

/**
 * Verifies requests of a sender that cannot sign: it sends a fixed secret in a header. Compared in constant time. Weaker
 * than {@link standardWebhooks}: who reads one request can send others.
 *
 * @param name of the header.
 * @param secrets the secret, or several while it changes; 16 characters at the least.
 * @throws WebhookConfigurationError for a name or secret that cannot be used.
 * @example sharedHeader('x-reviews-key', process.env.REVIEWS_WEBHOOK_KEY)
 */
export function sharedHeader(name: string, secrets: string | readonly string[] | undefined): Verifier {
	const all = typeof secrets === 'string' ? [secrets] : secrets;
	if (typeof name !== 'string' || !HEADER_NAME.test(name)) {
		throw new WebhookConfigurationError('The first argument of sharedHeader() is not the name of a header.');
	}
	if (!Array.isArray(all) || all.length === 0 || all.some((secret) => !isLongEnough(secret))) {
		throw new WebhookConfigurationError(
			`A secret of sharedHeader("${name}", ...) is missing or shorter than ${LEAST_LENGTH} characters.`,
		);
	}
	const header = name.toLowerCase();
	// Not before the first request: some platforms make nothing random while a module loads.
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

/** A key of this process: digests of two texts are compared, which tells nothing about either. */
async function prepare(secrets: readonly string[]) {
	const key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
	const digests = secrets.map((secret) => crypto.subtle.sign('HMAC', key, encode(secret)));
	return { key, digests: await Promise.all(digests) };
}

function isLongEnough(secret: unknown): boolean {
	return typeof secret === 'string' && secret.trim().length >= LEAST_LENGTH;
}

/** A header's value comes without the spaces around it. */
function encode(text: string): Uint8Array<ArrayBuffer> {
	return new TextEncoder().encode(text.trim());
}
