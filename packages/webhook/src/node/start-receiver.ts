import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { Collector, type CollectorOptions } from '../collector.js';
import { checkNumber, messageOf, quietly, WebhookConfigurationError } from '../errors.js';
import { bodyWasRead, createWebhookHandler, refuse, type WebhookHandlerOptions } from '../handler.js';
import { post } from '../triggers.js';
import type { Verifier } from '../verify.js';

/** Options of {@link startReceiver}: how events are received, collected and acted on. */
export interface ReceiverOptions
	extends Pick<WebhookHandlerOptions, 'verify' | 'ids' | 'select' | 'ignoreTypes' | 'ping' | 'maxBytes'>,
		CollectorOptions {
	/** 0 picks a free port. @default 4500 */
	readonly port?: number | undefined;
	/** @default '127.0.0.1' */
	readonly host?: string | undefined;
	/** Path of the events. @default '/' */
	readonly path?: string | undefined;
	/**
	 * URL of another receiver that gets the same events, such as the endpoint of the site itself. A verifier of your own says
	 * with `headers` and `query` what has to be passed on.
	 * @default none
	 */
	readonly forward?: string | undefined;
	/** Time limit for receiving a whole request, in milliseconds. @default 10_000 */
	readonly requestTimeout?: number | undefined;
}

export interface Receiver {
	/** URL that events are sent to. */
	readonly url: string;
	readonly port: number;
	readonly collector: Collector;
	/**
	 * Stops taking events, and waits for a running rebuild.
	 * @param patience how long to wait, in milliseconds. After that the rebuild is ended and its products stay marked.
	 * @default 60_000
	 */
	close(patience?: number): Promise<void>;
}

/**
 * Receives events over HTTP, collects what changed, and rebuilds the site. `/healthz` answers 200 if events can
 * be kept, and 503 otherwise; `/status` reports what is waiting and what was done. Neither contains a secret.
 *
 * @throws WebhookConfigurationError for unusable options, and any error from listening on the port.
 * @example
 * await startReceiver({ verify: standardWebhooks(secret), log: openSqliteLog('changes.db'), rebuild: command('npm run build') });
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
	const { port = 4_500, host = '127.0.0.1', requestTimeout = 10_000, forward } = options;
	checkNumber('requestTimeout', requestTimeout, 1);
	const path = new URL(options.path ?? '/', 'http://localhost').pathname;
	if (forward && !/^https?:$/.test(URL.parse(forward)?.protocol ?? '')) {
		throw new WebhookConfigurationError('The address to forward events to is not an http(s) URL.');
	}
	const collector = new Collector(options);
	const onError = quietly((error: unknown) =>
		options.onLog?.(`Error while handling an event: ${withoutQueries(messageOf(error))}`),
	);
	const receive = createWebhookHandler<Request>({
		...options,
		async onChange(change, copy) {
			await collector.add(change);
			if (copy && forward) await passOn(copy, forward, [options.verify].flat());
		},
		onError,
	});
	let rejected = 0;
	let saidAt = Number.NEGATIVE_INFINITY;
	/** Says now and then what was rejected: anybody can send anything. */
	const noteRejected = async (answer: Response): Promise<void> => {
		rejected += 1;
		if (performance.now() - saidAt < REJECTED_INTERVAL) return;
		saidAt = performance.now();
		const { error } = (await answer.clone().json()) as { readonly error?: string };
		options.onLog?.(`Rejected a request with status ${answer.status}; ${rejected} since the start. ${error}`);
	};
	const respond = async (request: Request): Promise<Response> => {
		const { pathname } = new URL(request.url);
		if (pathname === path) {
			const copy = forward === undefined ? undefined : request.clone();
			const answer = await receive(request, copy);
			await copy?.body?.cancel().catch(() => {});
			if (answer.status >= 400 && answer.status < 500) await noteRejected(answer);
			return answer;
		}
		if (pathname !== '/healthz' && pathname !== '/status') return refuse(404, 'Not found.');
		if (pathname === '/status' && !isOwnHost(host, request.headers.get('host') ?? '')) {
			return refuse(
				403,
				'The status is only available at localhost, at IP addresses and at the host that the receiver listens on.',
			);
		}
		// A receiver that cannot keep events is not healthy: whoever sends them should go to another.
		const status = await collector.status().catch(() => undefined);
		if (!status) return refuse(503, 'The waiting changes cannot be read, so no event can be accepted.');
		return Response.json(
			pathname === '/status' ? { ...status, counts: { ...status.counts, rejected } } : { status: 'ok' },
		);
	};
	const server = createServer(
		{
			requestTimeout,
			headersTimeout: requestTimeout,
			// By default Node checks every 30 s, so a request could take that much longer.
			connectionsCheckingInterval: Math.min(1_000, requestTimeout),
		},
		toNodeHandler(respond, onError),
	);
	try {
		await once(server.listen(port, host), 'listening');
		await collector.start();
	} catch (error) {
		server.close();
		await collector.close(0);
		throw error;
	}
	const { port: actualPort } = server.address() as AddressInfo;
	return {
		url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}${path}`,
		port: actualPort,
		collector,
		async close(patience = 60_000) {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeIdleConnections();
			await collector.close(patience);
			server.closeAllConnections();
			await closed;
		},
	};
}

/** Shortest interval between lines about rejected requests, in milliseconds. */
const REJECTED_INTERVAL = 60_000;

/**
 * Says whether the `Host` header of a request names this machine. This protects against DNS rebinding: a web page can point its
 * own host name at this machine and read the responses, but its requests still carry that name, never an address.
 */
function isOwnHost(host: string, header: string): boolean {
	const name = URL.parse(`http://${header}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
	return isIP(name) !== 0 || name === 'localhost' || name === host;
}

/** Masks the queries of URLs, which may hold the key of a sender. */
function withoutQueries(text: string): string {
	return text.replace(/(\bhttps?:\/\/[^\s?#]*)\?[^\s"']*/gi, '$1?…');
}

/** Passes an event on. The other receiver verifies it again, so it gets what this one verified, and nothing else. */
async function passOn(request: Request, url: string, verifiers: readonly Verifier[]): Promise<void> {
	const headers = new Headers();
	for (const name of ['content-type', ...verifiers.flatMap((verifier) => verifier.headers ?? [])]) {
		const value = request.headers.get(name);
		if (value !== null) headers.set(name, value);
	}
	const target = new URL(url);
	for (const name of verifiers.flatMap((verifier) => verifier.query ?? [])) {
		const value = new URL(request.url).searchParams.get(name);
		if (value !== null) target.searchParams.set(name, value);
	}
	const body = await request.arrayBuffer();
	await post(target.href, { headers, body, timeout: 10_000 }, 'PR_FORWARD_FAILED');
}

/** Time to discard the rest of a request that was answered before its end, in milliseconds. */
const DRAIN_TIME = 2_000;

/**
 * Adapts a handler to `node:http` and Express. No body parser may run before it, except `express.raw()`, which keeps the
 * bytes unchanged.
 *
 * @param report called with errors that the handler throws.
 * @throws never: if the handler throws, the error is reported and the response is 500; an invalid request gets 400.
 * @example http.createServer(toNodeHandler(createWebhookHandler({ verify, onChange }))).listen(4500)
 */
export function toNodeHandler(
	handler: (request: Request) => Promise<Response>,
	report: (error: unknown) => void = console.error,
) {
	const onError = quietly(report);
	return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
		const request = toRequest(incoming);
		try {
			if (request) await send(await handler(request), outgoing);
			else outgoing.writeHead(400).end();
		} catch (error) {
			// A sender that disconnected is not worth reporting.
			if (incoming.complete || !incoming.destroyed) onError(error);
			if (!outgoing.headersSent) outgoing.writeHead(500).end();
			else outgoing.destroy();
		}
		if (incoming.complete) return;
		// Senders read the response only after sending the whole body, so the rest is discarded, for a limited time.
		const timer = setTimeout(() => incoming.destroy(), DRAIN_TIME);
		incoming.once('close', () => clearTimeout(timer));
		incoming.on('data', () => {});
	};
}

/** Returns `undefined` for a URL or a method that `Request` does not allow. */
function toRequest(incoming: IncomingMessage): Request | undefined {
	const { method = 'GET', url = '/', headersDistinct } = incoming;
	const hasBody = method !== 'GET' && method !== 'HEAD';
	const headers = new Headers();
	for (const [name, values] of Object.entries(headersDistinct)) {
		for (const value of values ?? []) headers.append(name, value);
	}
	try {
		return new Request(new URL(url, 'http://localhost'), {
			method,
			headers,
			...(hasBody && { body: bodyOf(incoming), duplex: 'half' }),
		});
	} catch {
		return undefined;
	}
}

/** Returns a body whose stream can be abandoned midway: the connection must stay open for the response. */
function bodyOf(incoming: IncomingMessage & { body?: unknown }): Uint8Array<ArrayBuffer> | ReadableStream {
	if (incoming.body instanceof Uint8Array) return new Uint8Array(incoming.body);
	if (!incoming.readableDidRead) {
		return NodeStream.from(incoming.iterator({ destroyOnReturn: false })) as ReadableStream;
	}
	// A body that was already read would look empty, so reading it throws instead.
	return new NodeStream({ start: (controller) => controller.error(bodyWasRead()) }) as ReadableStream;
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
	const body = new Uint8Array(await response.arrayBuffer());
	// With a content length, the response is not sent in chunks.
	const headers = {
		...(body.length > 0 && { 'content-length': body.length }),
		...Object.fromEntries(response.headers),
	};
	outgoing.writeHead(response.status, headers).end(body);
}
