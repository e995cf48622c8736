import { OPERATIONS, type Operation } from './contract.js';
import type { ResponseErrorReason, ReviewsErrorDetails } from './errors.js';
import { ReviewsHttpError, ReviewsNetworkError, ReviewsResponseError } from './errors.js';
import type { Settings } from './options.js';
import type { Validators } from './records.js';
import { codeOfCause, redactCause, type TokenSource } from './secrets.js';
import { ThrottledCall } from './sender.js';
import { parseHttpDate, parseRetryAfter, type ThrottledRequest } from './throttle.js';

export interface ReviewsRequest extends ThrottledRequest {
	readonly operation: Operation;
	/** Query string without its question mark; empty for none. */
	readonly query?: string;
	readonly body?: unknown;
	/** Checked validators of an earlier answer, so that the service need not send it again. */
	readonly known?: Validators | undefined;
	readonly authorize: boolean;
}

/** Turns an answer's JSON, and its checked validators, into the result of the operation. */
export type ReadAnswer<Answer> = (
	json: unknown,
	call: Call<unknown>,
	validators: Validators | undefined,
) => Answer;

/** Version of this package, for its `user-agent`. A test compares it with `package.json`. */
const VERSION = '0.1.0';

/** Redirects are not followed, so that neither the token nor the request reaches another host. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The service needs one sentence for an unknown product. Anything longer is a page. */
const MAX_BYTES_OF_NOT_FOUND = 64 * 1024;

/** Hints by the place where the URL is set. */
const HINTS: Partial<Record<ResponseErrorReason, (origin: string) => string>> = {
	redirect: (origin) => `Check ${origin}: it must be the address that the service answers at.`,
	foreign: (origin) =>
		`Check ${origin}, and whether a gateway in front of the service routes requests to it.`,
	'not-json': (origin) => `Check ${origin}: something other than the service may have answered.`,
	'too-large': () => 'Raise the option maxResponseBytes if such a response is expected.',
};

/** A request over HTTP. */
export class Call<Answer> extends ThrottledCall<Answer | 'unchanged' | undefined> {
	declare readonly request: ReviewsRequest;
	readonly method: string;
	/** Address without its query string. */
	readonly url: string;
	readonly #read: ReadAnswer<Answer>;
	readonly #settings: Settings;
	readonly #tokens: TokenSource;
	#token: string | undefined;

	constructor(request: ReviewsRequest, read: ReadAnswer<Answer>, settings: Settings, tokens: TokenSource) {
		super(request);
		const { method, path } = OPERATIONS[request.operation];
		this.method = method;
		this.url = settings.urls[request.operation] + path;
		this.#read = read;
		this.#settings = settings;
		this.#tokens = tokens;
	}

	/** Method and address, such as `GET https://reviews.example/api/llmRvwHTML`. */
	override get title(): string {
		return `${this.method} ${this.show(this.url, 120)}`;
	}

	override async authorize(): Promise<void> {
		if (this.request.authorize) this.#token = await this.#tokens.current();
	}

	override async renew(): Promise<boolean> {
		return this.#token !== undefined && (await this.#tokens.renew(this.#token));
	}

	/**
	 * Sends the request once and reads its answer.
	 *
	 * @returns `undefined` for a 404 of the service, which does not know the product, and `'unchanged'` for a 304 to a
	 * conditional request.
	 */
	override async send(signal: AbortSignal): Promise<Answer | 'unchanged' | undefined> {
		const response = await this.#fetch(signal);
		const { status, headers } = response;
		this.status = status;
		if (status === 200) {
			const json = await this.#readJson(response, this.#settings.maxResponseBytes, signal);
			const validators = { etag: headers.get('etag'), lastModified: headers.get('last-modified') };
			return this.#read(json, this, checkValidators(validators));
		}
		if (status === 404) return await this.#readNotFound(response, signal);
		void response.body?.cancel().catch(() => {});
		if (status === 304 && this.request.known) return 'unchanged';
		if (REDIRECTS.has(status) || response.type === 'opaqueredirect') {
			const location = headers.get('location');
			const origin = location && URL.parse(location, this.url)?.origin;
			const target = origin ? `to ${this.show(origin, 100)}` : 'to an address that cannot be read';
			throw this.responseError('redirect', `the service redirects ${target}, which is not followed,`);
		}
		const said = this.show(`${status} ${response.statusText}`.trim(), 80);
		const hint = status === 401 || status === 403 ? 'Check the access token and the wsid.' : '';
		const { now, maxPause } = this.#settings;
		const retryAfter = parseRetryAfter(headers.get('retry-after'), now(), maxPause);
		throw new ReviewsHttpError(this.failed(said, hint), { ...this.details(), retryAfter });
	}

	override tried(durationMs: number, failure: unknown): void {
		const { request, method, url, attempts, status, bytes } = this;
		this.#settings.onRequest?.({
			operation: request.operation,
			method,
			url,
			pids: request.pids,
			attempt: attempts,
			...(status !== undefined && { status }),
			durationMs,
			bytes,
			...(failure instanceof Error && { error: failure }),
		});
	}

	override show(text: string, maxLength: number): string {
		return this.#tokens.show(text, maxLength);
	}

	override details(cause?: unknown): ReviewsErrorDetails {
		return { operation: this.request.operation, ...super.details(cause), url: this.url };
	}

	responseError(reason: ResponseErrorReason, problem: string): ReviewsResponseError {
		const hint = HINTS[reason]?.(this.#origin);
		return new ReviewsResponseError(this.failed(problem, hint), { ...this.details(), reason });
	}

	/** The place where the URL is set. */
	get #origin(): string {
		return this.#settings.urlOrigins?.[this.request.operation] ?? 'the option baseUrl';
	}

	#networkError(cause: unknown): ReviewsNetworkError {
		const code = codeOfCause(cause);
		const problem = `the connection failed${code ? ` (${this.show(code, 40)})` : ''}`;
		const safe = redactCause(cause, this.#tokens.redact);
		const message = this.failed(problem, `Check ${this.#origin} and the network.`);
		return new ReviewsNetworkError(message, this.details(safe));
	}

	/** Runtimes that control `accept-encoding` or `user-agent` themselves silently ignore ours. */
	async #fetch(signal: AbortSignal): Promise<Response> {
		const { body, query, known } = this.request;
		const headers = {
			accept: 'application/json',
			'accept-encoding': 'gzip, br',
			'user-agent': `product-reviews-client/${VERSION}`,
			...(body !== undefined && { 'content-type': 'application/json' }),
			// The date is only sent without a tag, because with one the service must ignore it (RFC 9110, 13.1.3).
			...(known?.etag !== undefined
				? { 'if-none-match': known.etag }
				: known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
			...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
		};
		try {
			return await this.#settings.fetch(`${this.url}${query ? `?${query}` : ''}`, {
				method: this.method,
				headers,
				body: body === undefined ? null : JSON.stringify(body),
				redirect: 'manual',
				signal,
			});
		} catch (error) {
			throw this.#networkError(error);
		}
	}

	async #readJson({ headers, body }: Response, maxBytes: number, signal: AbortSignal): Promise<unknown> {
		const encoding = headers.get('content-encoding') ?? '';
		let text = '';
		try {
			// Runtimes decode chains of encodings, and each link multiplies the work (CVE-2026-22036).
			if (encoding.includes(',')) {
				const shown = this.show(encoding, 60);
				throw this.responseError('content-encoding', `the body is compressed more than once (${shown})`);
			}
			if (body) text = await this.#readText(body, maxBytes, signal);
			if (isCrowded(text)) {
				const shown = MAX_CONTAINERS.toLocaleString('en');
				throw this.responseError('schema', `the body has more than ${shown} lists and objects`);
			}
			return JSON.parse(text);
		} catch (error) {
			if (!(error instanceof SyntaxError)) throw error;
			// Runtimes decompress a body that was cut short as far as it goes, without an error.
			if (encoding !== '' && /^\s*(?:\{|$)/.test(text)) {
				throw new ReviewsNetworkError(this.failed('the compressed body was cut short'), this.details());
			}
			const type = this.show(headers.get('content-type') ?? 'none', 60);
			throw this.responseError('not-json', `the body is not JSON (its content-type: ${type})`);
		} finally {
			if (body && !body.locked) void body.cancel().catch(() => {});
		}
	}

	/**
	 * Reads a body. The limit applies to decompressed bytes as they stream, so a decompression bomb costs no more than the
	 * limit.
	 */
	async #readText(body: ReadableStream<Uint8Array>, maxBytes: number, signal: AbortSignal): Promise<string> {
		const reader = body.getReader();
		const decoder = new TextDecoder('utf-8', { fatal: true });
		let text = '';
		try {
			for (;;) {
				const { done, value } = await reader.read().catch((error) => {
					throw this.#networkError(error);
				});
				if (done) return text + restOf(decoder);
				// A fetch may take no notice of the signal.
				signal.throwIfAborted();
				this.bytes += value.byteLength;
				if (this.bytes > maxBytes) {
					throw this.responseError('too-large', `the body is larger than ${maxBytes} bytes`);
				}
				text += decoder.decode(value, { stream: true });
			}
		} catch (error) {
			throw error instanceof TypeError
				? this.responseError('not-utf8', 'the body is not valid UTF-8')
				: error;
		} finally {
			reader.releaseLock();
		}
	}

	/**
	 * Only a JSON object from the service itself means that a product has no reviews. A gateway that lost its routes answers
	 * 404 for every product, with its own page or an empty body.
	 */
	async #readNotFound(response: Response, signal: AbortSignal): Promise<undefined> {
		const json = await this.#readJson(response, MAX_BYTES_OF_NOT_FOUND, signal).catch((error) => {
			if (!(error instanceof ReviewsResponseError)) throw error;
		});
		if (typeof json === 'object' && json !== null && !Array.isArray(json)) return undefined;
		const type = response.headers.get('content-type');
		const shown = type === null ? '' : `, content-type: ${this.show(type, 60)}`;
		throw this.responseError('foreign', `404 from something other than the service (no JSON object${shown})`);
	}
}

/** Lists and objects in an answer: 10,000 reviews have less than 200,000. */
const MAX_CONTAINERS = 1_000_000;

/** Returns whether a text may have more lists and objects than any answer. Engines take seconds for eight megabytes of brackets. */
function isCrowded(text: string): boolean {
	if (text.length <= MAX_CONTAINERS) return false;
	let containers = 0;
	for (const bracket of '[{') {
		for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
			if (++containers > MAX_CONTAINERS) return true;
		}
	}
	return false;
}

/** Ends a text. If its last letter is cut, so is the text, and its end is no JSON. */
function restOf(decoder: TextDecoder): string {
	try {
		return decoder.decode();
	} catch {
		return '\ufffd';
	}
}

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

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.length <= 256;
}
