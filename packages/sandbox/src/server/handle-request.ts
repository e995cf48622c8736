import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, gzipSync } from 'node:zlib';
import { InvalidInputError, NotFoundError } from '../editing/input.js';
import { sendFault } from '../faults/faults.js';
import { routes } from '../routes.js';
import type { Service } from '../service.js';
import { isLoopback } from '../webhooks/is-loopback.js';
import { type Answer, answer, type Call, HttpError, type Route } from './http.js';
import { type Observation, observeRequest } from './requests.js';

/** Handles one request. Never rejects: an error becomes a response, or closes the connection. */
export async function handleRequest(
	request: IncomingMessage,
	response: ServerResponse,
	service: Service,
): Promise<void> {
	const method = request.method ?? 'GET';
	const [path = '', ...search] = (request.url ?? '/').split('?');
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	let observation: Observation | undefined;
	try {
		checkCaller(request.headers, service);
		const { route, params } = findRoute(routes, method, path);
		observation = observeRequest(request, response, path, service, route.operation);
		const body = await readBody(request);
		const query = new URLSearchParams(search.join('?'));
		const origin = service.publicUrl ?? requestOrigin(request);
		const call: Call = { origin, path, params, query, headers: request.headers, body, service };
		await answerCall(route, call, response, observation, gone.signal);
	} catch (error) {
		observation ??= observeRequest(request, response, path, service);
		if (gone.signal.aborted || response.headersSent) response.destroy();
		else send(response, toErrorAnswer(error, service), request);
	}
}

async function answerCall(
	route: Route,
	call: Call,
	response: ServerResponse,
	observation: Observation,
	signal: AbortSignal,
): Promise<void> {
	const { operation } = route;
	const pids = route.pidsOf?.(call) ?? [];
	observation.update({ pids });
	if (operation === undefined) return send(response, route.handle(call), call);

	const { faults, requests } = call.service;
	const { delay, fault } = faults.plan(operation, pids, requests.inFlight);
	if (fault) observation.update({ fault: fault.kind });
	else if (delay > 0) observation.update({ fault: 'latency' });
	const wait = call.service.latency + delay;
	if (wait > 0) await sleep(wait, undefined, { signal });
	if (fault) await sendFault(fault, { response, rightAnswer: () => safely(route, call), signal });
	else send(response, route.handle(call), call);
}

function send(response: ServerResponse, full: Answer, { headers }: Pick<Call, 'headers'>): void {
	const validated = withValidators(full, headers['if-none-match']);
	const final = compressed(validated, headers['accept-encoding']);
	const length = final.status === 304 ? {} : { 'content-length': String(final.body.length) };
	response.writeHead(final.status, { ...final.headers, ...length });
	response.end(final.body);
}

/** The response without a fault, which may itself be an error. */
function safely(route: Route, call: Call): Answer {
	try {
		return route.handle(call);
	} catch (error) {
		return toErrorAnswer(error, call.service);
	}
}

function toErrorAnswer(error: unknown, service: Service): Answer {
	if (error instanceof HttpError) return answer.error(error.status, error.message, error.headers);
	if (error instanceof NotFoundError) return answer.error(404, error.message);
	if (error instanceof InvalidInputError) return answer.error(400, error.message);
	const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
	service.log(`Internal error: ${reason}`);
	return answer.error(500, 'Internal error of the sandbox. See its log.');
}

/** A host name or address with an optional port. Contains nothing that would end the host part of a URL. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Scheme, host and port at which a request reached the sandbox, such as `http://127.0.0.1:4400`. */
function requestOrigin({ headers, socket }: IncomingMessage): string {
	if (headers.host !== undefined && HOST.test(headers.host)) return `http://${headers.host}`;
	const { localAddress = '127.0.0.1', localPort } = socket;
	return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * Adds an `ETag` to a response that has a `Last-Modified`, and answers 304 if the caller already has that body.
 * The tag is weak, because it is also used for the compressed body.
 */
function withValidators(full: Answer, ifNoneMatch: string | undefined): Answer {
	const lastModified = full.headers['last-modified'];
	if (full.status !== 200 || lastModified === undefined) return full;
	const etag = `W/"${createHash('sha256').update(full.body).digest('base64url').slice(0, 27)}"`;
	if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, etag)) {
		const { 'content-type': _body, ...headers } = full.headers;
		return answer.empty(304, { ...headers, etag });
	}
	return { ...full, headers: { ...full.headers, etag } };
}

function hasTag(header: string, etag: string): boolean {
	const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
	return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** Below this size, in bytes, compression costs more than it saves. */
const MINIMUM_BYTES = 1_024;

/** Compresses bodies of more than 1 KB with gzip if the caller accepts it. Videos are already compressed. */
function compressed(full: Answer, acceptEncoding: string | undefined): Answer {
	if (full.headers['content-type']?.startsWith('video/')) return full;
	const headers = { ...full.headers, vary: 'accept-encoding' };
	if (full.body.length <= MINIMUM_BYTES || !acceptsGzip(acceptEncoding ?? '')) return { ...full, headers };
	return {
		...full,
		headers: { ...headers, 'content-encoding': 'gzip' },
		// The fastest level: the sandbox shares a machine with the build that it serves.
		body: gzipSync(full.body, { level: constants.Z_BEST_SPEED }),
	};
}

function acceptsGzip(header: string): boolean {
	return header.split(',').some((entry) => {
		const [coding, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
		const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
		return (coding === 'gzip' || coding === '*') && !isRefused;
	});
}

/** 1 MB, far more than any documented request. */
const MAXIMUM_BYTES = 1_048_576;

/**
 * Reads the body of a request as UTF-8 text.
 *
 * @throws {HttpError} 413 for more than 1 MB, 400 for bytes that are not UTF-8.
 */
async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		// The excess is read and discarded: a caller that is cut off while sending never sees the response.
		if (size <= MAXIMUM_BYTES) chunks.push(chunk);
	}
	if (size > MAXIMUM_BYTES) throw new HttpError(413, `The body is larger than ${MAXIMUM_BYTES} bytes.`);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
	} catch {
		throw new HttpError(400, 'The body is not valid UTF-8.');
	}
}

/** Names under which callers reach the sandbox. */
interface OwnNames {
	/** Address that the sandbox listens on. */
	readonly host: string;
	/** Public URL, if different. */
	readonly publicUrl: string | undefined;
}

/** Contains nothing that would end the host part of a URL. */
const HOST_NAME = /^[^\s"/?#@\\]+$/;

/** Hosts that mean every address of the machine. */
const EVERY = ['0.0.0.0', '::'];

/**
 * Accepts only requests that address this machine by one of its own names and that were not sent by a page of another
 * machine. Otherwise a web page could point its own host name here (DNS rebinding), and read and edit everything.
 *
 * @throws {HttpError} 403 for all others.
 */
function checkCaller({ host, origin }: IncomingHttpHeaders, names: OwnNames): void {
	if (host === undefined || !HOST_NAME.test(host) || !isOwn(URL.parse(`http://${host}`), names)) {
		throw new HttpError(
			403,
			'The sandbox only answers at localhost and at the address that it listens on, not under this Host. To use another name, start it with the option publicUrl (--public-url).',
		);
	}
	// Only browsers send an Origin.
	if (origin !== undefined && !isOwn(URL.parse(origin), names)) {
		throw new HttpError(
			403,
			'The sandbox rejects requests from web pages of other machines (see the Origin header).',
		);
	}
}

/** Any port is accepted: a store under development is served by this machine too. */
function isOwn(url: URL | null, { host, publicUrl }: OwnNames): boolean {
	if (!url || url.hostname === '') return false;
	if (isLoopback(url.href)) return true;
	if (publicUrl !== undefined && url.hostname === new URL(publicUrl).hostname) return true;
	// A server that listens on all addresses accepts each of them, but no names: anyone can create those.
	if (EVERY.includes(host)) return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
	return url.hostname === URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname;
}

/** A route and its path parameters. */
interface RouteMatch {
	readonly route: Route;
	readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the route of a request.
 *
 * The raw path is used, because a URL parser would resolve the ids `.` and `..`.
 *
 * @throws {HttpError} 404 for an unknown path, 405 for another method, 400 for broken percent-encoding.
 */
function findRoute(routes: readonly Route[], method: string, path: string): RouteMatch {
	const parts = path.split('/').map(decode);
	const allowed: string[] = [];
	for (const route of routes) {
		const params = matchParts(route.path.split('/'), parts);
		if (!params) continue;
		if (route.method === method) return { route, params };
		allowed.push(route.method);
	}
	if (allowed.length === 0) throw new HttpError(404, 'Not found.');
	const allow = [...new Set(allowed)].join(', ');
	throw new HttpError(405, `This path supports ${allow}, not ${method}.`, { allow });
}

function matchParts(pattern: readonly string[], parts: readonly string[]) {
	if (pattern.length !== parts.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, expected] of pattern.entries()) {
		const part = parts[index] ?? '';
		if (expected.startsWith(':')) {
			if (part === '') return undefined;
			params[expected.slice(1)] = part;
		} else if (expected !== part) return undefined;
	}
	return params;
}

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		throw new HttpError(400, 'The path contains invalid percent-encoding.');
	}
}
