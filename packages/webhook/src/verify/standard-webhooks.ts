import { checkNumber } from '../errors.js';
import { decodeBase64 } from './decode-base64.js';
import { readSecrets } from './read-secrets.js';
import type { UnverifiedRequest, Verifier } from './verifier.js';
import { verifyHmac } from './verify-hmac.js';

/** Options of {@link standardWebhooks}. */
export interface StandardWebhooksOptions {
	/**
	 * How far the time of a request may be from now, in seconds, before or after.
	 * @default 300
	 */
	readonly tolerance?: number | undefined;
}

/** Signatures that one request may bring: one for each key while keys change. */
const MOST_SIGNATURES = 10;

const HEADERS = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' } as const;
// A full stop in an id would let text move between id, time and body under the same signature.
const ID = /^[A-Za-z0-9_-]{1,128}$/;
const TIMESTAMP = /^[0-9]{1,12}$/;
/** Base64 of 32 bytes. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/**
 * Verifies requests signed as Standard Webhooks 1.0.0 describes: HMAC-SHA256 over id, time and body. The form of the
 * headers is checked first, then the time, then each signature against each secret, in constant time.
 *
 * @param secrets the secret, or several while keys change: `whsec_` and the base64 of 24 to 64 bytes.
 * @throws WebhookConfigurationError for a secret that is missing, or for a secret or tolerance that cannot be used.
 * @example createWebhookHandler({ verify: standardWebhooks(process.env.REVIEWS_WEBHOOK_SECRET), onChange })
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function standardWebhooks(
	secrets: string | readonly string[] | undefined,
	{ tolerance = 300 }: StandardWebhooksOptions = {},
): Verifier {
	const secretKeys = readSecrets(secrets);
	checkNumber('tolerance', tolerance, 0);
	return {
		headers: Object.values(HEADERS),
		async verify(request) {
			const id = request.headers.get(HEADERS.id) ?? '';
			const timestamp = request.headers.get(HEADERS.timestamp) ?? '';
			if (!ID.test(id) || !TIMESTAMP.test(timestamp)) return undefined;
			if (Math.abs(request.receivedAt / 1_000 - Number(timestamp)) > tolerance) return undefined;
			const signatures = readSignatures(request.headers.get(HEADERS.signature) ?? '');
			if (signatures.length === 0) return undefined;
			const content = signedContent(id, timestamp, request);
			const verify = request.verifyHmac ?? verifyHmac;
			for (const key of secretKeys) {
				for (const signature of signatures) {
					if (await verify(key, signature, content)) {
						return { id, validFor: (Number(timestamp) + tolerance) * 1_000 - request.receivedAt };
					}
				}
			}
			return undefined;
		},
	};
}

/** Those of the version that we know; a header with more than anybody needs has none. */
function readSignatures(header: string): Uint8Array<ArrayBuffer>[] {
	const all = header.split(' ');
	if (all.length > MOST_SIGNATURES) return [];
	return all.flatMap((one) => decodeBase64(SIGNATURE.exec(one)?.[1] ?? '') ?? []);
}

/** The body as the bytes that came: texts that differ only in broken UTF-8 are not the same. */
function signedContent(id: string, timestamp: string, { body }: UnverifiedRequest): Uint8Array<ArrayBuffer> {
	const head = new TextEncoder().encode(`${id}.${timestamp}.`);
	const content = new Uint8Array(head.length + body.length);
	content.set(head);
	content.set(body, head.length);
	return content;
}
