import { LONGEST_PAUSE_IN_MS, type Settings } from '../options/options.js';
import type { PacedRequest } from '../pacing/create-queue.js';
import type { Validators } from '../records/records.js';
import {
	type Detail,
	networkProblem,
	responseProblem,
	type Show,
	type TryFailure,
	TryProblem,
} from './create-error.js';
import { nextTurn, readBody } from './read-body.js';
import { withTimeLimit } from './with-time-limit.js';

/** A request as sent over the wire. */
export interface WireRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
	/** Whether its headers allow the service to answer 304. */
	readonly isConditional: boolean;
}

/**
 * How one try ended. `answer` is `undefined` for a 404 of the service, which does not know the product, and
 * `'unchanged'` for a 304 to a conditional request.
 */
export type TryResult<Answer> = { status: number | undefined; bytes: number } & (
	| { answer: Answer | 'unchanged' | undefined; failure?: never }
	| { failure: TryFailure }
);

/**
 * Sends a request once and reads its answer, both headers and body, within `timeout`.
 *
 * @throws the signal's reason when it aborts; every other failure is in the result.
 */
export async function sendOnce<Answer>(
	settings: Settings,
	request: WireRequest,
	read: ReadAnswer<Answer>,
	signal: AbortSignal,
): Promise<TryResult<Answer>> {
	const progress: { status: number | undefined; bytes: number } = { status: undefined, bytes: 0 };
	const limit = settings.timeout;
	const detail = `no complete answer within ${limit} ms`;
	const tooSlow = () => new TryProblem({ kind: 'timeout', detail, limit });
	try {
		const answer = await withTimeLimit({ signal, milliseconds: limit, reason: tooSlow }, (trySignal) =>
			exchange(settings, request, read, { signal: trySignal, progress }),
		);
		return { ...progress, answer };
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof TryProblem) return { ...progress, failure: error.failure };
		throw error;
	}
}

interface Try {
	readonly signal: AbortSignal;
	readonly progress: { status: number | undefined; bytes: number };
}

async function exchange<Answer>(
	settings: Settings,
	request: WireRequest,
	read: ReadAnswer<Answer>,
	{ signal, progress }: Try,
): Promise<Answer | 'unchanged' | undefined> {
	const response = await follow(settings, request, { signal, progress });
	if (response.status === 200) {
		const text = await readBody(response, { maxBytes: settings.maxResponseBytes, signal, progress });
		return await read(await parseJson(text, response), validatorsOf(response.headers));
	}
	if (response.status === 404) return await readNotFound(response, { signal, progress });
	await discardBody(response, signal);
	if (response.status === 304 && request.isConditional) return 'unchanged';
	const said = `${response.status} ${response.statusText}`.trim();
	throw new TryProblem({
		kind: 'http',
		detail: (show) => show(said, 80),
		status: response.status,
		retryAfter: parseRetryAfter(response.headers.get('retry-after'), settings.now(), settings.maxPause),
	});
}

async function follow(
	settings: Settings,
	request: WireRequest,
	{ signal, progress }: Try,
): Promise<Response> {
	const { method, headers, body = null } = request;
	let { url } = request;
	for (let followed = 0; ; followed += 1) {
		const response = await fetchOrFail(settings, url, { method, headers, body, redirect: 'manual', signal });
		if (signal.aborted) {
			// A fetch that ignores its signal may answer after the abort.
			await response.body?.cancel();
			throw signal.reason;
		}
		progress.status = response.status;
		const target = redirectTarget(response, { method, url }, followed);
		if (target === undefined) return response;
		await discardBody(response, signal);
		if (target instanceof TryProblem) throw target;
		url = target;
	}
}

/** Async, because the caller's fetch may throw before it returns a promise. */
async function fetchOrFail({ fetch }: Settings, url: string, init: RequestInit): Promise<Response> {
	try {
		return await fetch(url, init);
	} catch (error) {
		return networkProblem(error);
	}
}

function validatorsOf(headers: Headers): Validators | undefined {
	return checkValidators({ etag: headers.get('etag'), lastModified: headers.get('last-modified') });
}

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date (RFC 9110, 10.2.3).
 *
 * @param now the current time, in milliseconds since 1970.
 * @param most maximum result, in milliseconds.
 * @returns milliseconds from now, 0 for a date in the past; `undefined` if the header is missing or unreadable.
 * @example parseRetryAfter('120', Date.now()) // 120000
 */
function parseRetryAfter(
	header: string | null,
	now: number,
	most: number = LONGEST_PAUSE_IN_MS,
): number | undefined {
	const value = header?.trim() ?? '';
	if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(Number(value) * 1_000, most);
	const date = parseHttpDate(value);
	return date === undefined ? undefined : Math.min(Math.max(0, date - now), most);
}

/**
 * Discards a body. A short one is read to its end, so that the connection can be reused: a store may have thousands of
 * products without reviews, each with a 404. A long or slow one is cancelled, which closes the connection.
 */
async function discardBody(response: Response, signal: AbortSignal): Promise<void> {
	if (!response.body) return;
	const reader = response.body.getReader();
	try {
		await withTimeLimit({ signal, milliseconds: PATIENCE_IN_MS, reason: () => GIVEN_UP }, async () => {
			for (let bytes = 0; bytes <= MAX_BYTES; ) {
				const { done, value } = await reader.read();
				if (done) return;
				bytes += value.byteLength;
			}
			throw GIVEN_UP;
		});
	} catch {
		// The body is not needed, and the status has been read.
		await reader.cancel().catch(() => {});
	}
}

const MAX_BYTES = 16 * 1024;

const PATIENCE_IN_MS = 250;

const GIVEN_UP = new Error('The body of an error answer is too long or too slow to be read.');

/** The service needs one sentence for an unknown product. Anything longer is a page. */
const MOST_BYTES = 64 * 1024;

/**
 * Reads a 404. Only a JSON object from the service itself means that a product has no reviews. A gateway that lost its
 * routes answers 404 for every product, with its own page or an empty body.
 *
 * @throws TryProblem for a 404 that is not the service's own.
 */
async function readNotFound(
	response: Response,
	{ signal, progress }: { signal: AbortSignal; progress: { bytes: number } },
): Promise<undefined> {
	try {
		const text = await readBody(response, { maxBytes: MOST_BYTES, signal, progress });
		const json = await parseJson(text, response);
		if (typeof json === 'object' && json !== null && !Array.isArray(json)) return undefined;
	} catch (error) {
		if (!(error instanceof TryProblem) || error.failure.kind !== 'response') throw error;
	}
	throw responseProblem(
		'foreign',
		(show) => `404 from something other than the service (${said(response, show)})`,
	);
}

function said({ headers }: Response, show: Show): string {
	const type = headers.get('content-type');
	return type === null ? 'no JSON object' : `no JSON object, content-type: ${show(type, 60)}`;
}

/**
 * Parses the body of an answer. Yields to the event loop before and after a long one, because parsing it blocks.
 *
 * @throws TryProblem that names the content type of a body that is not JSON, usually a page of a proxy.
 */
async function parseJson(text: string, response: Response): Promise<unknown> {
	const isLong = text.length > LONG_TEXT;
	if (isLong) await nextTurn();
	const json = parse(text, response);
	if (isLong) await nextTurn();
	return json;
}

/** In UTF-16 code units. */
const LONG_TEXT = 262_144;

function parse(text: string, response: Response): unknown {
	try {
		return JSON.parse(text);
	} catch {
		const type = response.headers.get('content-type') ?? 'none';
		throw responseProblem('not-json', (show) => `the body is not JSON (its content-type: ${show(type, 60)})`);
	}
}

/**
 * The target of a redirect, or `undefined` if the answer is not one. At most three redirects are followed, only within
 * the service's origin, because the request may contain the token, and for a POST only if the status preserves the
 * method.
 *
 * @param followed number of redirects followed so far.
 * @returns the next address, or the problem if the redirect is refused.
 */
function redirectTarget(
	response: Response,
	request: { method: string; url: string },
	followed: number,
): string | TryProblem | undefined {
	if (response.type === 'opaqueredirect') return refused('and this runtime does not tell where');
	if (!(response.status in REDIRECTS)) return undefined;
	const location = response.headers.get('location');
	const target = location === null ? null : URL.parse(location, request.url);
	if (!target) return refused('with no address that can be read');
	if (target.origin !== new URL(request.url).origin || target.username || target.password) {
		return refused((show) => `to another origin, ${show(target.origin, 100)}`);
	}
	if (request.method !== 'GET' && REDIRECTS[response.status] !== 'keeps the method') {
		return refused(`with status ${response.status}, which would turn ${request.method} into GET`);
	}
	if (followed >= MAX_REDIRECTS) return refused(`more than ${MAX_REDIRECTS} times`);
	return target.href;
}

const MAX_REDIRECTS = 3;

const REDIRECTS: Readonly<Record<number, 'keeps the method' | 'may change the method'>> = {
	301: 'may change the method',
	302: 'may change the method',
	303: 'may change the method',
	307: 'keeps the method',
	308: 'keeps the method',
};

function refused(how: Detail): TryProblem {
	return responseProblem('redirect', (show) => {
		const said = typeof how === 'function' ? how(show) : how;
		return `the service redirects ${said}, which is not followed,`;
	});
}

/**
 * Removes invalid validators. They come from the service, or from wherever the caller stored them. A tag is ASCII in
 * double quotes (RFC 9110, 8.8.3), with or without a leading `W/`. A date is an HTTP date. Neither is longer than 256
 * characters.
 *
 * @returns `undefined` if none are left.
 * @example checkValidators({ etag: 'W/"a1"', lastModified: 'yesterday' }) // { etag: 'W/"a1"' }
 */
export function checkValidators(
	given: {
		readonly [Name in keyof Validators]: unknown;
	},
): Validators | undefined {
	const etag = isText(given.etag) && ENTITY_TAG.test(given.etag) ? given.etag : undefined;
	const isDate = isText(given.lastModified) && parseHttpDate(given.lastModified) !== undefined;
	if (etag === undefined && !isDate) return undefined;
	return {
		...(etag === undefined ? {} : { etag }),
		...(isDate ? { lastModified: given.lastModified as string } : {}),
	};
}

/** The standard also allows bytes above ASCII, but runtimes disagree on how to read and write them. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;

const MAX_LENGTH = 256;

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.length <= MAX_LENGTH;
}

/** One request to the service, as an operation describes it. */
export interface ReviewsRequest extends PacedRequest {
	/** Query string without its question mark; empty for none. */
	readonly query?: string;
	/** Body, to be sent as JSON. */
	readonly body?: unknown;
	/** Checked validators of an earlier answer, so that the service need not send it again. */
	readonly known?: Validators | undefined;
	/** Whether to send the token. */
	readonly authorize: boolean;
}

/**
 * Turns an answer's JSON into the result of the operation.
 *
 * @param validators of the answer, checked.
 * @throws TryProblem for an invalid answer.
 */
export type ReadAnswer<Answer> = (
	json: unknown,
	validators: Validators | undefined,
) => Answer | Promise<Answer>;

/**
 * Reads an HTTP date in one of its three forms (RFC 9110, 5.6.7).
 *
 * @returns milliseconds since 1970; `undefined` for anything else.
 * @example parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT') // 784111777000
 */
function parseHttpDate(value: string): number | undefined {
	if (!HTTP_DATE.test(value)) return undefined;
	// The asctime form has no zone and means UTC.
	const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
	return Number.isNaN(date) ? undefined : date;
}

const HTTP_DATE =
	/^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;
