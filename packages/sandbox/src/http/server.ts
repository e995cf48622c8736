import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, gzipSync } from 'node:zlib';
import type { Operation } from 'product-reviews-client/contract';
import { sendFault } from '../faults.js';
import { InvalidInputError, NotFoundError } from '../records.js';
import { routes } from '../routes.js';
import type { OperationRoute, Service } from '../service.js';
import { type Answer, answer, type Call, HttpError, isLoopback } from './http.js';
import { type ObservedRequest, requestLogLine } from './requests.js';

/**
 * Starts listening for requests.
 *
 * @param hasOperation whether an operation is at this address. To others it answers 404 with a page, as a gateway does.
 * @throws {Error} If the port is in use or the address does not belong to this machine.
 */
export async function startServer(
	service: Service,
	port: number,
	hasOperation: (operation: Operation) => boolean,
) {
	const { host } = service;
	// Idle connections stay open for a minute: if one closed during a build, it would look like a fault.
	const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
		void handleRequest(request, response, service, hasOperation);
	});
	await once(server.listen(port, host), 'listening').catch((cause) => {
		const isTaken = cause.code === 'EADDRINUSE';
		const reason = isTaken
			? 'The port is in use. Set another one with --port or the option "port"; 0 picks a free one.'
			: cause.message;
		throw new Error(`The sandbox cannot listen on ${host}:${port}. ${reason}`, { cause });
	});
	const { port: actual } = server.address() as AddressInfo;
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { url: `http://${hostInUrl(host)}:${actual}`, port: actual, close };
}

function hostInUrl(host: string): string {
	return host.includes(':') ? `[${host}]` : host;
}

async function handleRequest(
	request: IncomingMessage,
	response: ServerResponse,
	service: Service,
	hasOperation: (operation: Operation) => boolean,
): Promise<void> {
	const { method = 'GET', url = '/', headers } = request;
	const [path = '', ...search] = url.split('?');
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	let observed: ObservedRequest | undefined;
	try {
		checkCaller(headers, service);
		const { route, params } = findRoute(method, path);
		if (typeof route !== 'function' && !hasOperation(route.operation)) {
			observe(request, response, service);
			return send(response, { ...answer.html('<h1>Not found</h1>'), status: 404 }, headers);
		}
		const isOperation = typeof route !== 'function';
		observed = observe(request, response, service, isOperation ? route : undefined);
		const body = await readBody(request);
		const query = new URLSearchParams(search.join('?'));
		// The Host has been checked: it is one of this machine.
		const origin = service.publicUrl ?? new URL(`http://${headers.host}`).origin;
		const call = { origin, path, params, query, headers, body };
		if (isOperation) await answerOperation(route, call, service, response, observed, gone.signal);
		else send(response, route(call, service), headers);
	} catch (error) {
		if (!observed) observe(request, response, service);
		if (gone.signal.aborted || response.headersSent) response.destroy();
		else send(response, toErrorAnswer(error, service), headers);
	}
}

/** Records requests to the three operations, and logs every request once its connection is done with it. */
function observe(
	request: IncomingMessage,
	response: ServerResponse,
	service: Service,
	route?: OperationRoute,
): ObservedRequest {
	const { method = 'GET', url = '/', socket } = request;
	const { authorization, ...headers } = request.headers;
	const begin = performance.now();
	const bytesBefore = socket.bytesWritten;
	const observed = { method, url, headers, pids: [], bytes: 0, complete: false };
	if (route) {
		const { operation } = route;
		service.requests.begin(Object.assign(observed, { operation, startedAt: service.now() }));
	}
	response.once('close', () => {
		Object.assign(observed, {
			bytes: socket.bytesWritten - bytesBefore,
			duration: performance.now() - begin,
			complete: response.writableFinished,
			...(response.headersSent ? { status: response.statusCode } : {}),
		});
		if (route) service.requests.end();
		// The token of the request is masked whether it was accepted or not.
		const token = authorization?.split(/\s+/).at(-1) ?? '';
		service.log(requestLogLine(observed, [...service.tokens.secrets, token]));
	});
	return observed;
}

async function answerOperation(
	{ operation, pidsOf, handle }: OperationRoute,
	call: Call,
	service: Service,
	response: ServerResponse,
	observed: ObservedRequest,
	signal: AbortSignal,
): Promise<void> {
	const { faults, requests, latency } = service;
	observed.pids = pidsOf(call);
	const { delay, fault } = faults.plan(operation, observed.pids, requests.inFlight);
	if (fault) observed.fault = fault.kind;
	else if (delay > 0) observed.fault = 'latency';
	if (latency + delay > 0) await sleep(latency + delay, undefined, { signal });
	if (!fault) return send(response, handle(call, service), call.headers);
	const rightAnswer = () => {
		try {
			return handle(call, service);
		} catch (error) {
			return toErrorAnswer(error, service);
		}
	};
	await sendFault(fault, { response, rightAnswer, signal });
}

function send(response: ServerResponse, full: Answer, headers: IncomingHttpHeaders): void {
	const validated = withValidators(full, headers['if-none-match']);
	const final = compressed(validated, headers['accept-encoding']);
	const length = final.status === 304 ? {} : { 'content-length': String(final.body.length) };
	response.writeHead(final.status, { ...final.headers, ...length });
	response.end(final.body);
}

function toErrorAnswer(error: unknown, service: Service): Answer {
	if (error instanceof HttpError) return answer.error(error.status, error.message, error.headers);
	if (error instanceof NotFoundError) return answer.error(404, error.message);
	if (error instanceof InvalidInputError) return answer.error(400, error.message);
	const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
	service.log(`Internal error: ${reason}`);
	return answer.error(500, 'Internal error of the sandbox. See its log.');
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

/** Compresses bodies of more than 1 KB with gzip if the caller accepts it. Videos are already compressed. */
function compressed(full: Answer, acceptEncoding: string | undefined): Answer {
	if (full.headers['content-type']?.startsWith('video/')) return full;
	const headers = { ...full.headers, vary: 'accept-encoding' };
	if (full.body.length <= 1_024 || !acceptsGzip(acceptEncoding ?? '')) return { ...full, headers };
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

const MAXIMUM_BYTES = 1_048_576;

/**
 * Reads the body of a request as UTF-8 text.
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

/**
 * Accepts only requests that address this machine by one of its own names and that were not sent by a page of another
 * machine. Otherwise a web page could point its own host name here (DNS rebinding), and read and edit everything.
 *
 * @throws {HttpError} 403 for all others.
 */
function checkCaller({ host, origin }: IncomingHttpHeaders, service: Service): void {
	// A name with nothing in it that would end the host part of a URL.
	if (host === undefined || !/^[^\s"/?#@\\]+$/.test(host) || !isOwn(URL.parse(`http://${host}`), service)) {
		throw new HttpError(
			403,
			'The sandbox only answers at localhost and at the address that it listens on, not under this Host. To use another name, start it with the option publicUrl (--public-url).',
		);
	}
	// Only browsers send an Origin.
	if (origin !== undefined && !isOwn(URL.parse(origin), service)) {
		throw new HttpError(
			403,
			'The sandbox rejects requests from web pages of other machines (see the Origin header).',
		);
	}
}

/** Any port is accepted: a store under development is served by this machine too. */
function isOwn(url: URL | null, { host, publicUrl }: Service): boolean {
	if (!url || url.hostname === '') return false;
	if (isLoopback(url.href)) return true;
	if (publicUrl !== undefined && url.hostname === new URL(publicUrl).hostname) return true;
	// A server that listens on all addresses accepts each of them, but no names: anyone can create those.
	if (['0.0.0.0', '::'].includes(host)) return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
	return url.hostname === URL.parse(`http://${hostInUrl(host)}`)?.hostname;
}

/**
 * Finds the route of a request, and its path parameters.
 *
 * The raw path is used, because a URL parser would resolve the ids `.` and `..`.
 *
 * @throws {HttpError} 404 for an unknown path, 405 for another method, 400 for broken percent-encoding.
 */
function findRoute(method: string, path: string) {
	const allowed: string[] = [];
	for (const [pattern, methods] of Object.entries(routes)) {
		const found = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(path);
		const route = found && methods[method];
		if (route) return { route, params: decoded({ ...found.groups } as Call['params']) };
		if (found) allowed.push(...Object.keys(methods));
	}
	if (allowed.length === 0) throw new HttpError(404, 'Not found.');
	const allow = [...new Set(allowed)].join(', ');
	throw new HttpError(405, `This path supports ${allow}, not ${method}.`, { allow });
}

function decoded(params: Call['params']): Call['params'] {
	try {
		const entries = Object.entries(params).map(([name, part]) => [name, decodeURIComponent(part)]);
		return Object.fromEntries(entries);
	} catch {
		throw new HttpError(400, 'The path contains invalid percent-encoding.');
	}
}
