import { WebhookConfigurationError } from './errors.js';

/** A request as a verifier sees it: its URL, its headers and the raw bytes of its body. */
export interface UnverifiedRequest {
	readonly url: string;
	readonly headers: Headers;
	readonly body: Uint8Array<ArrayBuffer>;
	/** Arrival of the request, in milliseconds since 1970. */
	readonly receivedAt: number;
}

export interface Verified {
	/** Id of the event, which stays the same if the sender tries again. Omitted if the sender provides none. */
	readonly id?: string;
	/** Time a copy of this request would pass as genuine, in milliseconds from its arrival. @default 600_000 */
	readonly validFor?: number;
}

/**
 * Decides whether a request comes from the review service. Returns `undefined` if it does not: which part was wrong is
 * deliberately not disclosed.
 */
export type Verifier = (request: UnverifiedRequest) => Verified | undefined | Promise<Verified | undefined>;

/** One or several verifiers. A request is genuine if one of them accepts it. */
export type Verify = Verifier | readonly Verifier[];

const HMAC: HmacKeyGenParams = { name: 'HMAC', hash: 'SHA-256' };

/** In characters, so that a secret cannot be guessed. */
const MIN_LENGTH = 16;

/**
 * Verifies requests from a sender that does not sign but sends a fixed key in a header. Secrets are compared in constant
 * time. This is weaker than {@link standardWebhooks}: anyone who sees one request can send others.
 *
 * @param name of the header.
 * @param secrets the secret, or several for rotation; at least 16 characters each.
 * @throws WebhookConfigurationError for an unusable name or secret.
 * @example sharedHeader('x-reviews-key', process.env.REVIEWS_WEBHOOK_KEY)
 */
export function sharedHeader(name: string, secrets: string | readonly string[] | undefined): Verifier {
	if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
		throw new WebhookConfigurationError('The first argument of sharedHeader() must be the name of a header.');
	}
	return sharedSecret(`sharedHeader("${name}", ...)`, secrets, ({ headers }) => headers.get(name));
}

/**
 * Verifies requests from a sender that can only put a fixed secret into the query of the URL. This is the weakest check:
 * URLs stand in the logs of every server on the way. Give such a sender a secret of its own.
 *
 * @param name of the query parameter.
 * @param secrets the secret, or several for rotation; at least 16 characters each.
 * @throws WebhookConfigurationError for an unusable name or secret.
 * @example sharedQuery('secret', process.env.REVIEWS_WEBHOOK_KEY) // https://shop.example/reviews?secret=...
 */
export function sharedQuery(name: string, secrets: string | readonly string[] | undefined): Verifier {
	if (typeof name !== 'string' || name === '') {
		throw new WebhookConfigurationError(
			'The first argument of sharedQuery() must be the name of a parameter.',
		);
	}
	return sharedSecret(`sharedQuery("${name}", ...)`, secrets, ({ url }) =>
		new URL(url).searchParams.get(name),
	);
}

function sharedSecret(
	called: string,
	secrets: string | readonly string[] | undefined,
	find: (request: UnverifiedRequest) => string | null,
): Verifier {
	const all = typeof secrets === 'string' ? [secrets] : secrets;
	const isLongEnough = (secret: unknown) => typeof secret === 'string' && secret.trim().length >= MIN_LENGTH;
	if (!Array.isArray(all) || all.length === 0 || !all.every(isLongEnough)) {
		throw unusableSecret(`A secret of ${called} is missing or shorter than ${MIN_LENGTH} characters.`);
	}
	// Prepared on the first request: some platforms do not allow random values while a module loads.
	let prepared: ReturnType<typeof prepare> | undefined;
	return async (request) => {
		const given = encode(find(request) ?? '');
		prepared ??= prepare(all);
		const { key, digests } = await prepared;
		const verified = digests.map((digest) => crypto.subtle.verify('HMAC', key, digest, given));
		return (await Promise.all(verified)).includes(true) ? {} : undefined;
	};
}

/** Prepares a comparison of digests under a random key, which reveals nothing about the secrets. */
async function prepare(secrets: readonly string[]) {
	const key = await crypto.subtle.generateKey(HMAC, false, ['sign', 'verify']);
	const digests = secrets.map((secret) => crypto.subtle.sign('HMAC', key, encode(secret)));
	return { key, digests: await Promise.all(digests) };
}

/** Encodes a secret. Header values arrive without surrounding spaces, so secrets are trimmed too. */
function encode(text: string): Uint8Array<ArrayBuffer> {
	return new TextEncoder().encode(text.trim());
}

/** In seconds, in either direction. */
const TOLERANCE = 300;

/** There is one for each key during rotation. */
const MAX_SIGNATURES = 10;

// A dot in an id would let text move between id, timestamp and body under the same signature.
const ID = /^[A-Za-z0-9_-]{1,128}$/;

const TIMESTAMP = /^[0-9]{1,12}$/;

/** Of version 1: base64 of 32 bytes. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/**
 * Verifies requests signed according to Standard Webhooks 1.0.0: HMAC-SHA256 over id, timestamp and body. It checks the
 * format of the headers, then the timestamp, then each signature against each secret, in constant time.
 *
 * @param secrets the secret, or several for rotation: `whsec_` followed by the base64 of 24 to 64 bytes.
 * @throws WebhookConfigurationError for a missing or unusable secret.
 * @example createWebhookHandler({ verify: standardWebhooks(process.env.REVIEWS_WEBHOOK_SECRET), onChange })
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function standardWebhooks(secrets: string | readonly string[] | undefined): Verifier {
	const secretBytes = readSecrets(secrets);
	// Imported on the first request: some platforms allow no cryptography while a module loads.
	let keys: Promise<CryptoKey[]> | undefined;
	return async (request) => {
		const id = request.headers.get('webhook-id') ?? '';
		const timestamp = request.headers.get('webhook-timestamp') ?? '';
		if (!ID.test(id) || !TIMESTAMP.test(timestamp)) return undefined;
		if (Math.abs(request.receivedAt / 1_000 - Number(timestamp)) > TOLERANCE) return undefined;
		const sent = (request.headers.get('webhook-signature') ?? '').split(' ');
		if (sent.length > MAX_SIGNATURES) return undefined;
		const signatures = sent.flatMap((one) => decodeBase64(SIGNATURE.exec(one)?.[1] ?? '') ?? []);
		// The raw bytes of the body: decoding would make bodies equal that differ only in invalid UTF-8.
		const content = await new Blob([`${id}.${timestamp}.`, request.body]).arrayBuffer();
		keys ??= Promise.all(
			secretBytes.map((secret) => crypto.subtle.importKey('raw', secret, HMAC, false, ['verify'])),
		);
		for (const key of await keys) {
			for (const signature of signatures) {
				if (await crypto.subtle.verify('HMAC', key, signature, content)) {
					return { id, validFor: (Number(timestamp) + TOLERANCE) * 1_000 - request.receivedAt };
				}
			}
		}
		return undefined;
	};
}

/** Standard Webhooks 1.0.0, "Signature scheme". */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** @throws WebhookConfigurationError that identifies a wrong secret by its position, without repeating it. */
function readSecrets(secrets: string | readonly string[] | undefined): readonly Uint8Array<ArrayBuffer>[] {
	const all = typeof secrets === 'string' ? [secrets] : secrets;
	if (!Array.isArray(all) || all.length === 0) throw wrongSecret('is missing');
	return all.map((secret, index) => {
		const which = all.length === 1 ? '' : ` (number ${index + 1} of ${all.length})`;
		if (typeof secret !== 'string' || secret.trim() === '') throw wrongSecret(`is empty${which}`);
		const text = secret.trim();
		const key = decodeBase64(text.replace(/^whsec_/, ''));
		if (!key) throw wrongSecret(`is not base64${which}`);
		if (key.length < MIN_BYTES || key.length > MAX_BYTES) {
			throw wrongSecret(`has ${key.length} bytes${which}`);
		}
		return key;
	});
}

function wrongSecret(problem: string): WebhookConfigurationError {
	return unusableSecret(
		`The webhook secret ${problem}. Expected "whsec_" followed by the base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes, as shown by the review service.`,
	);
}

function unusableSecret(message: string): WebhookConfigurationError {
	return new WebhookConfigurationError(message, { code: 'PR_WEBHOOK_SECRET' });
}

/**
 * Decodes base64 in its canonical form only: standard alphabet, padded, no unused bits set. Otherwise several texts would
 * decode to the same bytes, and a signature would have several valid forms. Returns `undefined` for anything else.
 */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
	if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
	const binary = atob(text);
	return btoa(binary) === text ? Uint8Array.from(binary, (letter) => letter.charCodeAt(0)) : undefined;
}

export type ReadVariable = (name: string) => string | undefined;

export interface VerifierVariables {
	/** Variable with the webhook secret; with two, separated by a space, while it changes. */
	readonly secretEnv: string;
	/** Name of the header with a fixed key. @default none: events are signed */
	readonly keyHeader?: string | undefined;
	/** Name of the parameter in the URL's query with a fixed key. @default none */
	readonly keyQuery?: string | undefined;
	/** Variable with the key. Without it, the key in the header is the API key of the service, `REVIEWS_API_KEY`. */
	readonly keyEnv: string;
}

/** Services that send a fixed key in a header send the store's API key. */
export const API_KEY = 'REVIEWS_API_KEY';

/** @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value. */
export function readVerifiers(
	{ secretEnv, keyHeader, keyQuery, keyEnv }: VerifierVariables,
	readVariable: ReadVariable,
): Verifier[] {
	const secrets = readVariable(secretEnv)?.split(/\s+/).filter(Boolean) ?? [];
	const key = () => readRequired(keyEnv, readVariable);
	const verifiers = [
		...(secrets.length > 0 ? [standardWebhooks(secrets)] : []),
		...(keyHeader
			? [sharedHeader(keyHeader, readVariable(keyEnv)?.trim() || readVariable(API_KEY)?.trim() || key())]
			: []),
		// The API key does not belong in a URL.
		...(keyQuery ? [sharedQuery(keyQuery, key())] : []),
	];
	if (verifiers.length > 0) return verifiers;
	throw unusableSecret(
		`${named(secretEnv)} is not set. Set it to the webhook secret that the review service shows (it begins with "whsec_"). If it shows none and sends a fixed key, say in which header, with --key-header or the option webhook.keyHeader.`,
	);
}

/** @throws WebhookConfigurationError that names the variable if it is not set. */
export function readRequired(name: string, readVariable: ReadVariable): string {
	const value = readVariable(name)?.trim();
	if (!value) throw new WebhookConfigurationError(`${named(name)} is not set.`);
	return value;
}

/** Names a variable for a message. A secret given in place of the name must not appear in a log. */
function named(variable: string): string {
	return /^[A-Z_][A-Z0-9_]{0,99}$/.test(variable)
		? `The environment variable ${variable}`
		: 'The environment variable that an option names';
}
