import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, gzipSync } from 'node:zlib';
import type { Operation } from 'product-reviews-client/contract';
import { openDatabase } from './database.js';
import { sendFault } from './faults.js';
import { type Answer, answer, type Call, HttpError, isLoopback } from './http.js';
import { InvalidInputError, NotFoundError } from './records.js';
import { type ObservedRequest, requestLogLine } from './requests.js';
import { findRoute } from './routes.js';
import { addExtraProducts, SEED, seedDatabase } from './seed.js';
import { createService, type OperationRoute, type SandboxOptions, type Service } from './service.js';
import type { ReviewStore } from './store.js';

export interface Sandbox {
	/** Base URL without a trailing slash, such as `http://127.0.0.1:4400`. */
	readonly url: string;
	readonly port: number;
	/** Base URL of operation 3: another one than `url` with `crawlerPort`. */
	readonly crawlerUrl: string;
	readonly wsid: string;
	/** An accepted access token: the first one of the option. */
	readonly token: string;
	readonly apiKey: string;
	/** Edits products, reviews and questions. */
	readonly store: ReviewStore;
	/** Makes requests to the three operations fail. */
	readonly faults: Service['faults'];
	readonly requests: Service['requests'];
	/** Notifies your URLs of every edit. */
	readonly webhooks: Service['webhooks'];
	/** Tells the page with the form what became of a review elsewhere, such as in a shop. */
	readonly notes: Service['notes'];
	/** Ends all connections and webhooks immediately and closes the data file. Can be called more than once. */
	close(): Promise<void>;
}

/**
 * Starts the review service on this machine: the three documented operations, seeded with 60 products, and additional
 * routes to edit reviews, cause faults and inspect requests.
 * @throws {Error} If the port is in use or the data file cannot be read.
 * @example
 * const sandbox = await startSandbox();
 * const response = await fetch(`${sandbox.url}/api/llmRvwHTML?wsid=${sandbox.wsid}&pid=p-1&ihtml=true`);
 * await sandbox.close();
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { seed: given = SEED, port = 0, crawlerPort, now = Date.now } = options;
	const seed = given === false ? SEED : given;
	const database = openDatabase(options.data ?? ':memory:');
	try {
		if (database.isNew && given !== false) seedDatabase(database, seed);
		addExtraProducts(database, options.products ?? [], now(), seed);
		const service = createService(database, seed, options);
		const isOne = crawlerPort === undefined;
		const server = await startServer(service, port, (name) => isOne || name !== 'crawlerReviews');
		const crawler = isOne
			? server
			: await startServer(service, crawlerPort, (name) => name === 'crawlerReviews').catch(async (error) => {
					await server.close();
					throw error;
				});
		const { store, faults, requests, webhooks, notes, facts, tokens } = service;
		let closing: Promise<void> | undefined;
		const close = () => {
			closing ??= Promise.all([webhooks.close(), server.close(), crawler.close()]).then(() =>
				database.close(),
			);
			return closing;
		};
		const addresses = { url: server.url, port: server.port, crawlerUrl: crawler.url };
		const { first: token, apiKey } = tokens;
		return { ...addresses, wsid: facts.wsid, token, apiKey, store, faults, requests, webhooks, notes, close };
	} catch (error) {
		database.close();
		throw error;
	}
}

/**
 * Starts listening for requests.
 *
 * @param hasOperation whether an operation is at this address. To others it answers 404 with a page, as a gateway does.
 * @throws {Error} If the port is in use or the address does not belong to this machine.
 */
async function startServer(service: Service, port: number, hasOperation: (name: Operation) => boolean) {
	const { host } = service;
	// Idle connections stay open for a minute: if one closed during a build, it would look like a fault.
	const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
		void handleRequest(request, response, service, hasOperation);
	});
	await once(server.listen(port, host), 'listening').catch((cause) => {
		const taken = 'The port is in use. Set another one with --port or the option "port"; 0 picks a free one.';
		const reason = cause.code === 'EADDRINUSE' ? taken : cause.message;
		throw new Error(`The sandbox cannot listen on ${host}:${port}. ${reason}`, { cause });
	});
	const { port: actual } = server.address() as AddressInfo;
	const close = async () => {
		const closed = once(server, 'close');
		server.close().closeAllConnections();
		await closed;
	};
	return { url: `http://${hostInUrl(host)}:${actual}`, port: actual, close };
}

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);

async function handleRequest(
	request: IncomingMessage,
	response: ServerResponse,
	service: Service,
	hasOperation: (operation: Operation) => boolean,
): Promise<void> {
	const { method = 'GET', url = '/', headers } = request;
	const [path = '', ...search] = url.split('?');
	const observed = observe(request, response, service);
	try {
		checkCaller(headers, service);
		const { route, params } = findRoute(method, path);
		const isOperation = typeof route !== 'function';
		if (isOperation) {
			const isHere = hasOperation(route.operation);
			if (!isHere) return send(response, answer.html('<h1>Not found</h1>', {}, 404), headers);
			service.requests.begin(observed, route.operation, service.now());
			response.once('close', () => service.requests.end());
		}
		const body = await readBody(request);
		// The Host has been checked: it is one of this machine.
		const origin = service.publicUrl ?? new URL(`http://${headers.host}`).origin;
		const call = { origin, path, params, query: new URLSearchParams(search.join('?')), headers, body };
		if (isOperation) await answerOperation(route, call, service, response, observed);
		else send(response, route(call, service), headers);
	} catch (error) {
		if (response.closed || response.headersSent) response.destroy();
		else send(response, toErrorAnswer(error, service), headers);
	}
}

/** Logs a request once its connection is done with it. */
function observe(request: IncomingMessage, response: ServerResponse, service: Service): ObservedRequest {
	const { method = 'GET', url = '/', socket } = request;
	const { authorization, ...headers } = request.headers;
	const begin = performance.now();
	const bytesBefore = socket.bytesWritten;
	const observed: ObservedRequest = { method, url, headers, pids: [], bytes: 0, complete: false };
	response.once('close', () => {
		observed.bytes = socket.bytesWritten - bytesBefore;
		observed.duration = performance.now() - begin;
		observed.complete = response.writableFinished;
		if (response.headersSent) observed.status = response.statusCode;
		// The token of the request is masked whether it was accepted or not.
		const token = authorization?.split(/\s+/).at(-1) ?? '';
		service.log(requestLogLine(observed, [...service.tokens.secrets(), token]));
	});
	return observed;
}

async function answerOperation(
	{ operation, pidsOf, handle }: OperationRoute,
	call: Call,
	service: Service,
	response: ServerResponse,
	observed: ObservedRequest,
): Promise<void> {
	const { faults, requests, latency } = service;
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	const { signal } = gone;
	observed.pids = pidsOf(call);
	const { delay, fault } = faults.plan(operation, observed.pids, requests.inFlight);
	if (fault || delay > 0) observed.fault = fault?.kind ?? 'latency';
	if (latency + delay > 0) await sleep(latency + delay, undefined, { signal });
	const rightAnswer = () => {
		try {
			return handle(call, service);
		} catch (error) {
			return toErrorAnswer(error, service);
		}
	};
	if (fault) await sendFault(fault, { response, rightAnswer, signal });
	else send(response, rightAnswer(), call.headers);
}

function send(response: ServerResponse, full: Answer, asked: IncomingHttpHeaders): void {
	const validated = withValidators(full, asked['if-none-match']);
	const { status, headers, body } = compressed(validated, asked['accept-encoding'] ?? '');
	const length = status === 304 ? {} : { 'content-length': String(body.length) };
	response.writeHead(status, { ...headers, ...length }).end(body);
}

function toErrorAnswer(error: unknown, service: Service): Answer {
	if (error instanceof HttpError) return answer.error(error.status, error.message, error.headers);
	if (error instanceof NotFoundError) return answer.error(404, error.message);
	if (error instanceof InvalidInputError) return answer.error(400, error.message);
	service.log(`Internal error: ${error instanceof Error ? error.stack : error}`);
	return answer.error(500, 'Internal error of the sandbox. See its log.');
}

/** Adds an `ETag` to a response with a `Last-Modified`: a weak one, because it's also that of the compressed body. */
function withValidators(full: Answer, ifNoneMatch = ''): Answer {
	if (full.status !== 200 || full.headers['last-modified'] === undefined) return full;
	const tag = `"${createHash('sha256').update(full.body).digest('base64url').slice(0, 27)}"`;
	const headers: Answer['headers'] = { ...full.headers, etag: `W/${tag}` };
	const known = ifNoneMatch.split(',').map((given) => given.trim().replace(/^W\//, ''));
	if (!known.includes(tag) && ifNoneMatch.trim() !== '*') return { ...full, headers };
	const { 'content-type': _body, ...kept } = headers;
	return answer.empty(304, kept);
}

/** Accepts `gzip` or `*`, unless its weight is 0. */
const GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:[,;]|$))[^,]*)?(?:,|$)/i;

/** Compresses bodies of more than 1 KB with gzip if the caller accepts it. Videos are already compressed. */
function compressed(full: Answer, acceptEncoding: string): Answer {
	if (full.headers['content-type']?.startsWith('video/')) return full;
	const headers = { ...full.headers, vary: 'accept-encoding' };
	if (full.body.length <= 1_024 || !GZIP.test(acceptEncoding)) return { ...full, headers };
	// The fastest level: the sandbox shares a machine with the build that it serves.
	const body = gzipSync(full.body, { level: constants.Z_BEST_SPEED });
	return { ...full, headers: { ...headers, 'content-encoding': 'gzip' }, body };
}

const MAX_BODY_BYTES = 1_048_576;

/** @throws {HttpError} 413 for more than 1 MB, 400 for bytes that are not UTF-8. */
async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		// The excess is read and discarded: a caller that is cut off while sending never sees the response.
		if (size <= MAX_BODY_BYTES) chunks.push(chunk);
	}
	if (size > MAX_BODY_BYTES) throw new HttpError(413, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
	} catch {
		throw new HttpError(400, 'The body is not valid UTF-8.');
	}
}

/**
 * Accepts only requests that address this machine by one of its own names and that were not sent by a page of another
 * machine. Otherwise a web page could point its own host name here (DNS rebinding), and read and edit everything.
 */
function checkCaller({ host, origin }: IncomingHttpHeaders, service: Service): void {
	// A name with nothing in it that would end the host part of a URL.
	const isName = host !== undefined && /^[^\s"/?#@\\]+$/.test(host);
	if (!isName || !isOwn(`http://${host}`, service)) throw new HttpError(403, FOREIGN_HOST);
	// Only browsers send an Origin.
	if (origin !== undefined && !isOwn(origin, service)) throw new HttpError(403, FOREIGN_PAGE);
}

const FOREIGN_HOST =
	'The sandbox only answers at localhost and at the address that it listens on, not under this Host. To use another name, start it with the option publicUrl (--public-url).';
const FOREIGN_PAGE = 'The sandbox rejects requests from web pages of other machines (see the Origin header).';

/**
 * Says whether an address is of this machine. Any port is accepted: a store under development is served by this machine too.
 */
function isOwn(address: string, { host, publicUrl }: Service): boolean {
	const url = URL.parse(address);
	if (!url || url.hostname === '') return false;
	if (isLoopback(url.href)) return true;
	if (publicUrl !== undefined && url.hostname === new URL(publicUrl).hostname) return true;
	// A server that listens on all addresses accepts each of them, but no names: anyone can create those.
	if (['0.0.0.0', '::'].includes(host)) return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
	return url.hostname === URL.parse(`http://${hostInUrl(host)}`)?.hostname;
}
