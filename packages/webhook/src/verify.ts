import { checkNumber, WebhookConfigurationError } from './errors.js';

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
export interface Verifier {
	(request: UnverifiedRequest): Verified | undefined | Promise<Verified | undefined>;
	/** Names of the headers that it reads, so that a receiver can pass an event on. */
	readonly headers?: readonly string[];
	/** Names of the parameters of the query that it reads. */
	readonly query?: readonly string[];
}

/** One or several verifiers. A request is genuine if one of them accepts it. */
export type Verify = Verifier | readonly Verifier[];

const HMAC: HmacKeyGenParams = { name: 'HMAC', hash: 'SHA-256' };

/** In characters, so that a secret cannot be guessed. */
export const MIN_LENGTH = 16;

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

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
	if (typeof name !== 'string' || !HEADER_NAME.test(name)) {
		throw new WebhookConfigurationError('The first argument of sharedHeader() must be the name of a header.');
	}
	const find = ({ headers }: UnverifiedRequest) => headers.get(name);
	return Object.assign(sharedSecret(`sharedHeader("${name}", ...)`, secrets, find), { headers: [name] });
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
	const find = ({ url }: UnverifiedRequest) => new URL(url).searchParams.get(name);
	return Object.assign(sharedSecret(`sharedQuery("${name}", ...)`, secrets, find), { query: [name] });
}

function sharedSecret(
	called: string,
	secrets: string | readonly string[] | undefined,
	find: (request: UnverifiedRequest) => string | null,
): Verifier {
	const all = readTexts(called, secrets);
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

/** @throws WebhookConfigurationError for a secret that is missing or can be guessed. */
function readTexts(called: string, secrets: string | readonly string[] | undefined): readonly string[] {
	const all = typeof secrets === 'string' ? [secrets] : secrets;
	const isLongEnough = (secret: unknown) => typeof secret === 'string' && secret.trim().length >= MIN_LENGTH;
	if (Array.isArray(all) && all.length > 0 && all.every(isLongEnough)) return all;
	throw unusableSecret(`A secret of ${called} is missing or shorter than ${MIN_LENGTH} characters.`);
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

/** Says how a sender signs its events. */
export interface HmacForm {
	/** Name of the header with the signature. */
	readonly header: string;
	/** @default 'base64' */
	readonly encoding?: keyof typeof DECODERS | undefined;
	/** @default 'SHA-256' */
	readonly hash?: 'SHA-256' | 'SHA-512' | undefined;
	/** Text before each signature, of which there may be several: with spaces or, beside a time, commas between them. */
	readonly prefix?: string | undefined;
	/** Text that is signed, such as `{timestamp}.{body}`. @default '{body}' */
	readonly signed?: string | undefined;
	/**
	 * Name of the header that identifies an event, so that copies of it have no effect. It can be that of the signature if
	 * no two events have the same body.
	 */
	readonly id?: string | undefined;
	/** Name of the header with the time; or the text before the time in the signature's header, such as `t=`. */
	readonly timestamp?: string | undefined;
	/** Unit of the time. @default 's' */
	readonly unit?: 's' | 'ms' | undefined;
	/** Largest difference between the time and the arrival, in milliseconds and in either direction. @default 300_000 */
	readonly tolerance?: number | undefined;
}

/**
 * Verifies requests that are signed with a secret text: HMAC over the raw body, or over a text with the body in it. The
 * bytes of signatures are compared in constant time. Without a signed time, a request can be sent again by anyone who has
 * seen it.
 *
 * @param secrets the secret, or several for rotation; at least 16 characters each.
 * @throws WebhookConfigurationError for an unusable form or secret.
 * @example hmac({ header: 'x-hub-signature-256', encoding: 'hex', prefix: 'sha256=' }, process.env.REVIEWS_WEBHOOK_SECRET)
 */
export function hmac(form: HmacForm, secrets: string | readonly string[] | undefined): Verifier {
	const { header, encoding = 'base64', hash = 'SHA-256', signed = '{body}', id, timestamp } = form;
	const check = (isValid: boolean, expected: string) => {
		if (!isValid) throw new WebhookConfigurationError(`hmac() needs ${expected}.`);
	};
	check(typeof header === 'string' && HEADER_NAME.test(header), 'the name of a header as "header"');
	check(Object.hasOwn(DECODERS, encoding), '"base64", "base64url" or "hex" as "encoding"');
	check(hash === 'SHA-256' || hash === 'SHA-512', '"SHA-256" or "SHA-512" as "hash"');
	check(signed.split('{body}').length === 2, '"{body}" once in "signed"');
	// A time that is not signed proves nothing.
	check(
		signed.includes('{timestamp}') === (timestamp !== undefined),
		'"timestamp" with "{timestamp}" in "signed"',
	);
	check(id !== undefined || !signed.includes('{id}'), '"id" with "{id}" in "signed"');
	checkNumber('tolerance', form.tolerance ?? TOLERANCE, 0);
	return createVerifier(form, readTexts(`hmac({ header: "${header}" })`, secrets).map(encode));
}

/** In milliseconds. */
const TOLERANCE = 300_000;

/** There is one for each key during rotation. */
const MAX_SIGNATURES = 10;

// A dot in an id would let text move between id, timestamp and body under the same signature.
const SIGNED_ID = /^[A-Za-z0-9_-]{1,128}$/;

const TIMESTAMP = { s: /^[0-9]{1,12}$/, ms: /^[0-9]{1,15}$/ } as const;

/** Checks the format of the headers, then the time, then each signature against each key. */
function createVerifier(form: HmacForm, keys: readonly Uint8Array<ArrayBuffer>[]): Verifier {
	const { header, encoding = 'base64', hash = 'SHA-256', prefix = '', signed = '{body}' } = form;
	const { timestamp: time, unit = 's', tolerance = TOLERANCE } = form;
	const isTimeWithin = time?.endsWith('=') === true;
	const [before = '', after = ''] = signed.split('{body}');
	// Imported on the first request: some platforms allow no cryptography while a module loads.
	let imported: Promise<CryptoKey[]> | undefined;
	const verifier: Verifier = async ({ headers, body, receivedAt }) => {
		const value = headers.get(header) ?? '';
		// Several headers of the same name are one value, with commas.
		const parts = isTimeWithin ? value.split(/, */) : prefix === '' ? [value] : value.split(' ');
		if (parts.length > MAX_SIGNATURES) return undefined;
		const partsWith = (start: string) =>
			parts.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length));
		const times = time === undefined ? [] : isTimeWithin ? partsWith(time) : [headers.get(time) ?? ''];
		const [timestamp = ''] = times;
		const until = Number(timestamp) * (unit === 's' ? 1_000 : 1) + tolerance;
		if (time !== undefined) {
			if (times.length !== 1 || !TIMESTAMP[unit].test(timestamp)) return undefined;
			if (receivedAt > until || receivedAt < until - 2 * tolerance) return undefined;
		}
		const id = form.id === undefined ? '' : (headers.get(form.id) ?? '').slice(0, 200);
		if (signed.includes('{id}') && !SIGNED_ID.test(id)) return undefined;
		const fill = (text: string) => text.replace('{id}', id).replace('{timestamp}', timestamp);
		// The raw bytes of the body: decoding would make bodies equal that differ only in invalid UTF-8.
		const content = await new Blob([fill(before), body, fill(after)]).arrayBuffer();
		const signatures = partsWith(prefix).flatMap((text) => DECODERS[encoding](text) ?? []);
		imported ??= Promise.all(
			keys.map((key) => crypto.subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['verify'])),
		);
		for (const key of await imported) {
			for (const signature of signatures) {
				if (!(await crypto.subtle.verify('HMAC', key, signature, content))) continue;
				return { ...(id && { id }), ...(time && { validFor: until - receivedAt }) };
			}
		}
		return undefined;
	};
	return Object.assign(verifier, {
		headers: [header, form.id ?? [], isTimeWithin ? [] : (time ?? [])].flat(),
	});
}

/**
 * Verifies requests signed according to Standard Webhooks 1.0.0: HMAC-SHA256 over id, timestamp and body. The names of the
 * headers may begin with `svix-` instead of `webhook-`.
 *
 * @param secrets the secret, or several for rotation: `whsec_` followed by the base64 of 24 to 64 bytes.
 * @throws WebhookConfigurationError for a missing or unusable secret.
 * @example createWebhookHandler({ verify: standardWebhooks(process.env.REVIEWS_WEBHOOK_SECRET), onChange })
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function standardWebhooks(secrets: string | readonly string[] | undefined): Verifier {
	const keys = readSecrets(secrets);
	const signed = '{id}.{timestamp}.{body}';
	const named = (name: string) => {
		const form = { header: `${name}-signature`, id: `${name}-id`, timestamp: `${name}-timestamp` };
		return createVerifier({ ...form, prefix: 'v1,', signed }, keys);
	};
	const [standard, svix] = [named('webhook'), named('svix')];
	return Object.assign(
		(request: UnverifiedRequest) => (request.headers.has('svix-id') ? svix : standard)(request),
		{ headers: [standard, svix].flatMap(({ headers = [] }) => headers) },
	);
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

export function unusableSecret(message: string): WebhookConfigurationError {
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

const DECODERS = {
	base64: decodeBase64,
	base64url(text: string) {
		const standard = text.replaceAll('-', '+').replaceAll('_', '/');
		return /[+/]/.test(text) ? undefined : decodeBase64(standard.padEnd(Math.ceil(text.length / 4) * 4, '='));
	},
	hex: (text: string) =>
		/^(?:[0-9a-f]{2})+$/i.test(text)
			? Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
			: undefined,
};
