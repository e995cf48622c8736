import { checkNumber, WebhookConfigurationError } from '../errors.js';
import type { UnverifiedRequest, Verifier } from './verifier.js';
import { verifyHmac } from './verify-hmac.js';

/** Options of {@link standardWebhooks}. */
export interface StandardWebhooksOptions {
	/**
	 * How far the timestamp of a request may be from now, in seconds, in either direction.
	 * @default 300
	 */
	readonly tolerance?: number | undefined;
}

/** Maximum number of signatures in one request: there is one for each key during rotation. */
const MOST_SIGNATURES = 10;

const HEADERS = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' } as const;
// A dot in an id would let text move between id, timestamp and body under the same signature.
const ID = /^[A-Za-z0-9_-]{1,128}$/;
const TIMESTAMP = /^[0-9]{1,12}$/;
/** Base64 of 32 bytes. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/**
 * Verifies requests signed according to Standard Webhooks 1.0.0: HMAC-SHA256 over id, timestamp and body. It checks the
 * format of the headers, then the timestamp, then each signature against each secret, in constant time.
 *
 * @param secrets the secret, or several for rotation: `whsec_` followed by the base64 of 24 to 64 bytes.
 * @throws WebhookConfigurationError for a missing or unusable secret, or an unusable tolerance.
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

/** The signatures of version 1. A header with too many signatures is rejected as a whole. */
function readSignatures(header: string): Uint8Array<ArrayBuffer>[] {
	const all = header.split(' ');
	if (all.length > MOST_SIGNATURES) return [];
	return all.flatMap((one) => decodeBase64(SIGNATURE.exec(one)?.[1] ?? '') ?? []);
}

/** Uses the raw bytes of the body: decoding would make bodies equal that differ only in invalid UTF-8. */
function signedContent(id: string, timestamp: string, { body }: UnverifiedRequest): Uint8Array<ArrayBuffer> {
	const head = new TextEncoder().encode(`${id}.${timestamp}.`);
	const content = new Uint8Array(head.length + body.length);
	content.set(head);
	content.set(body, head.length);
	return content;
}

const PREFIX = 'whsec_';

/** Length of a secret, in bytes: Standard Webhooks 1.0.0, "Signature scheme". */
const LEAST_BYTES = 24;

const MOST_BYTES = 64;

/**
 * Decodes one or several Standard Webhooks secrets.
 * @param secrets `whsec_` followed by the base64 of 24 to 64 bytes; the prefix is optional.
 * @throws WebhookConfigurationError that identifies a wrong secret by its position, without repeating it.
 */
function readSecrets(secrets: string | readonly string[] | undefined): readonly Uint8Array<ArrayBuffer>[] {
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

/**
 * Decodes base64 in its canonical form only: standard alphabet, padded, no unused bits set. Otherwise several texts would
 * decode to the same bytes, and a signature would have several valid forms. Returns `undefined` for anything else.
 */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
	if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined;
	const binary = atob(text);
	if (btoa(binary) !== text) return undefined;
	const bytes = new Uint8Array(binary.length);
	for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
	return bytes;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
