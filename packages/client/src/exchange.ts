import type { Call } from './call.js';
import { ReviewsResponseError } from './errors.js';
import { messages } from './messages.js';
import type { Settings } from './options.js';
import type { Validators } from './records.js';

/** Turns an answer's JSON, and its checked validators, into the result of the operation. */
export type ReadAnswer<Answer> = (json: unknown, call: Call, validators: Validators | undefined) => Answer;

/**
 * Sends a request once and reads its answer.
 *
 * @returns `undefined` for a 404 of the service, which does not know the product, and `'unchanged'` for a 304 to a
 * conditional request.
 */
export async function exchange<Answer>(
	settings: Settings,
	call: Call,
	token: string | undefined,
	read: ReadAnswer<Answer>,
	signal: AbortSignal,
): Promise<Answer | 'unchanged' | undefined> {
	const response = await send(settings, call, token, signal);
	const { status, headers } = response;
	call.status = status;
	if (status === 200) {
		const json = await readJson(response, call, settings.maxResponseBytes, signal);
		const validators = { etag: headers.get('etag'), lastModified: headers.get('last-modified') };
		return read(json, call, checkValidators(validators));
	}
	if (status === 404) return await readNotFound(response, call, signal);
	void response.body?.cancel().catch(() => {});
	if (status === 304 && call.request.known) return 'unchanged';
	if (REDIRECTS.has(status) || response.type === 'opaqueredirect') {
		const location = headers.get('location');
		const target = location && URL.parse(location, call.url)?.origin;
		throw call.responseError('redirect', messages.redirected(target ? call.show(target, 100) : undefined));
	}
	throw call.httpError(
		response,
		parseRetryAfter(headers.get('retry-after'), settings.now(), settings.maxPause),
	);
}

/** They are not followed, so that neither the token nor the request reaches another host. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Runtimes that control `accept-encoding` or `user-agent` themselves silently ignore ours. */
async function send(
	settings: Settings,
	call: Call,
	token: string | undefined,
	signal: AbortSignal,
): Promise<Response> {
	const { body, query, known } = call.request;
	const headers = {
		accept: 'application/json',
		'accept-encoding': 'gzip, br',
		'user-agent': `product-reviews-client/${VERSION}`,
		...(body === undefined ? {} : { 'content-type': 'application/json' }),
		...toConditionalHeaders(known),
		...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
	};
	try {
		return await settings.fetch(`${call.url}${query ? `?${query}` : ''}`, {
			method: call.method,
			headers,
			body: body === undefined ? null : JSON.stringify(body),
			redirect: 'manual',
			signal,
		});
	} catch (error) {
		throw call.networkError(error);
	}
}

/** Version of this package, for its `user-agent`. A test compares it with `package.json`. */
const VERSION = '0.1.0';

/** The date is only sent without a tag, because with one the service must ignore it (RFC 9110, 13.1.3). */
function toConditionalHeaders(known: Validators | undefined): Record<string, string> {
	if (known?.etag !== undefined) return { 'if-none-match': known.etag };
	if (known?.lastModified !== undefined) return { 'if-modified-since': known.lastModified };
	return {};
}

/** The limit applies to decompressed bytes as they stream, so a decompression bomb costs no more than the limit. */
async function readJson(
	response: Response,
	call: Call,
	maxBytes: number,
	signal: AbortSignal,
): Promise<unknown> {
	const { headers, body } = response;
	const encoding = headers.get('content-encoding') ?? '';
	try {
		// Runtimes decode chains of encodings, and each link multiplies the work (CVE-2026-22036).
		if (encoding.includes(',')) {
			throw call.responseError('content-encoding', messages.compressedTwice(call.show(encoding, 60)));
		}
		const text = body ? await readText(body, call, maxBytes, signal) : '';
		return JSON.parse(text);
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		const type = call.show(headers.get('content-type') ?? 'none', 60);
		throw call.responseError('not-json', messages.bodyNotJson(type));
	} finally {
		if (body && !body.locked) void body.cancel().catch(() => {});
	}
}

async function readText(
	body: ReadableStream<Uint8Array>,
	call: Call,
	maxBytes: number,
	signal: AbortSignal,
): Promise<string> {
	const reader = body.getReader();
	const decoder = new TextDecoder('utf-8', { fatal: true });
	let text = '';
	try {
		for (;;) {
			const { done, value } = await reader.read().catch((error) => {
				throw call.networkError(error);
			});
			if (done) return text + decoder.decode();
			// A fetch may take no notice of the signal.
			signal.throwIfAborted();
			call.bytes += value.byteLength;
			if (call.bytes > maxBytes) throw call.responseError('too-large', messages.bodyTooLarge(maxBytes));
			text += decoder.decode(value, { stream: true });
		}
	} catch (error) {
		throw error instanceof TypeError ? call.responseError('not-utf8', messages.bodyNotUtf8) : error;
	} finally {
		reader.releaseLock();
	}
}

/** The service needs one sentence for an unknown product. Anything longer is a page. */
const MAX_BYTES_OF_NOT_FOUND = 64 * 1024;

/**
 * Only a JSON object from the service itself means that a product has no reviews. A gateway that lost its routes answers 404
 * for every product, with its own page or an empty body.
 */
async function readNotFound(response: Response, call: Call, signal: AbortSignal): Promise<undefined> {
	const json = await readJson(response, call, MAX_BYTES_OF_NOT_FOUND, signal).catch((error) => {
		if (!(error instanceof ReviewsResponseError)) throw error;
	});
	if (typeof json === 'object' && json !== null && !Array.isArray(json)) return undefined;
	const type = response.headers.get('content-type');
	throw call.responseError(
		'foreign',
		messages.foreignNotFound(type === null ? undefined : call.show(type, 60)),
	);
}

/** Reads seconds or an HTTP date (RFC 9110, 10.2.3). @returns milliseconds from now, 0 for a date in the past. */
function parseRetryAfter(header: string | null, now: number, max: number): number | undefined {
	const value = header?.trim() ?? '';
	if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(Number(value) * 1_000, max);
	const date = parseHttpDate(value);
	return date === undefined ? undefined : Math.min(Math.max(0, date - now), max);
}

/** Reads an HTTP date in one of its three forms (RFC 9110, 5.6.7). */
function parseHttpDate(value: string): number | undefined {
	if (!HTTP_DATE.test(value)) return undefined;
	// The asctime form has no zone and means UTC.
	const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
	return Number.isNaN(date) ? undefined : date;
}

const HTTP_DATE =
	/^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/**
 * Removes invalid validators. They come from the service, or from wherever the caller stored them.
 *
 * @returns `undefined` if none are left.
 */
export function checkValidators(given: { [Name in keyof Validators]: unknown }): Validators | undefined {
	const { etag, lastModified } = given;
	const valid = {
		...(isText(etag) && ENTITY_TAG.test(etag) && { etag }),
		...(isText(lastModified) && parseHttpDate(lastModified) !== undefined && { lastModified }),
	};
	return Object.keys(valid).length > 0 ? valid : undefined;
}

/** The standard also allows bytes above ASCII, but runtimes disagree on how to read and write them. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;

const MAX_LENGTH = 256;

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.length <= MAX_LENGTH;
}
