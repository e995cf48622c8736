import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Collector, CollectorOptions } from '../collect/collector.js';
import { createCollector } from '../collect/create-collector.js';
import { checkNumber, messageOf, quietly } from '../errors.js';
import {
	createEventReceiver,
	type ReceiveEvent,
	type WebhookHandlerOptions,
} from '../handler/webhook-handler.js';
import type { VerifyHmac } from '../verify/verify.js';
import { drain, type Forwarding, toHeaders, toNodeHandler, withForwarding } from './to-node-handler.js';

/** A running receiver. */
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

/** Time limit for a whole request, in milliseconds. */
const REQUEST_TIMEOUT = 10_000;
/** How often to check for requests that exceed it, in milliseconds. */
const LOOK = 1_000;

/**
 * Receives events over HTTP, collects what changed, and rebuilds the site. `/healthz` answers 200 if events can
 * be kept, and 503 otherwise; `/status` reports what is waiting and what was done. Neither contains a secret.
 *
 * @throws WebhookConfigurationError for unusable options, and any error from listening on the port.
 * @example
 * await startReceiver({ verify: standardWebhooks(secret), log: openSqliteLog('changes.db'), rebuild: command('npm run build') });
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
	const { port = 4_500, host = '127.0.0.1', requestTimeout = REQUEST_TIMEOUT } = options;
	checkNumber('requestTimeout', requestTimeout, 1);
	const path = new URL(options.path ?? '/', 'http://localhost').pathname;
	const collector = 'collector' in options ? options.collector : createCollector(options);
	const onError = quietly((error: unknown) =>
		options.onLog?.(`Error while handling an event: ${messageOf(error)}`),
	);
	const record = createEventReceiver(
		{ ...options, onChange: (change) => collector.add(change), onError },
		verifyHmacAtOnce,
	);
	const receive = options.forward ? withForwarding(record, options.forward, onError) : record;
	const others = toNodeHandler(answerOthers(collector, host), { onError });
	const server = createServer(
		{
			requestTimeout,
			headersTimeout: requestTimeout,
			// By default Node checks every 30 s, so a request could take that much longer.
			connectionsCheckingInterval: Math.min(LOOK, requestTimeout),
		},
		(incoming, outgoing) => {
			if (URL.parse(incoming.url ?? '', 'http://localhost')?.pathname !== path) others(incoming, outgoing);
			else void answerEvent(receive, incoming, outgoing, onError);
		},
	);
	try {
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, host, resolve);
		});
		await collector.start();
	} catch (error) {
		server.close();
		await collector.close(0);
		throw error;
	}
	const address = server.address() as AddressInfo;
	return {
		url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`,
		port: address.port,
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

const keys = new WeakMap<Uint8Array, KeyObject>();

/** Uses Node's own HMAC: WebCrypto hands each signature to another thread, which takes longer than the check itself. */
export const verifyHmacAtOnce: VerifyHmac = (secret, signature, content) => {
	let key = keys.get(secret);
	if (!key) {
		key = createSecretKey(secret);
		keys.set(secret, key);
	}
	const expected = createHmac('sha256', key).update(content).digest();
	return expected.length === signature.length && timingSafeEqual(expected, signature);
};

/**
 * Answers an event from `node:http` without creating a `Request` and a `Response`, which would take more time than
 * everything else.
 * @param onError must not throw.
 * @throws never: if `receive` throws, the error is reported and the response is 503, so that the event is sent again.
 */
async function answerEvent(
	receive: ReceiveEvent,
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	onError: (error: unknown) => void,
): Promise<void> {
	try {
		const { method = '' } = incoming;
		const readBody = (mostBytes: number) => readBytes(incoming, mostBytes);
		const { status, headers, body } = await receive({ method, headers: toHeaders(incoming), readBody });
		const length = Buffer.byteLength(body);
		outgoing.writeHead(status, { ...headers, 'content-length': length }).end(body);
	} catch (error) {
		// A sender that disconnected is not worth reporting.
		if (incoming.complete || !incoming.destroyed) onError(error);
		if (!outgoing.headersSent) outgoing.writeHead(503, { 'retry-after': '30' }).end();
	}
	drain(incoming);
}

/** Reads the body. Stops collecting it and resolves to `undefined` if it is longer than allowed. */
function readBytes(
	incoming: IncomingMessage,
	mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
	if (Number(incoming.headers['content-length'] ?? 0) > mostBytes) return Promise.resolve(undefined);
	return new Promise((resolve, reject) => {
		const pieces: Uint8Array[] = [];
		let length = 0;
		const onData = (piece: Uint8Array) => {
			length += piece.length;
			if (length <= mostBytes) pieces.push(piece);
			else {
				incoming.off('data', onData);
				resolve(undefined);
			}
		};
		incoming.on('data', onData);
		incoming.once('end', () => resolve(Buffer.concat(pieces)));
		incoming.once('error', reject);
		incoming.once('close', () => {
			if (!incoming.complete) reject(new Error('The sender disconnected.'));
		});
	});
}

const WRONG_HOST =
	'The status is only available at localhost and at the address that the receiver listens on.';

/** Returns a function that answers every request but events: `/healthz`, `/status`, and what does not exist. */
function answerOthers(collector: Collector, host: string): (request: Request) => Promise<Response> {
	return async (request) => {
		const { pathname } = new URL(request.url);
		if (pathname === '/healthz') return answerHealth(collector);
		if (pathname !== '/status') return Response.json({ error: 'Not found.' }, { status: 404 });
		return isOwnHost(host, request.headers.get('host') ?? undefined)
			? answerStatus(collector)
			: Response.json({ error: WRONG_HOST }, { status: 403 });
	};
}

/** A receiver that cannot keep events is not healthy: whoever sends them should go to another. */
async function answerHealth(collector: Collector): Promise<Response> {
	try {
		await collector.status();
		return Response.json({ status: 'ok' });
	} catch {
		return Response.json({ error: 'Changes cannot be kept.' }, { status: 503 });
	}
}

async function answerStatus(collector: Collector): Promise<Response> {
	try {
		return Response.json(describe(await collector.status()));
	} catch {
		return Response.json({ error: 'The waiting changes cannot be read.' }, { status: 503 });
	}
}

/** The status with times in ISO 8601. */
function describe(status: Awaited<ReturnType<Collector['status']>>) {
	const time = (milliseconds: number | undefined) =>
		milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
	const { lastRebuild, nextRebuildAt, ...others } = status;
	return {
		...others,
		nextRebuildAt: time(nextRebuildAt),
		lastRebuild: lastRebuild && {
			...lastRebuild,
			// Everything after the first line is output of the build, which may contain anything.
			error: lastRebuild.error?.split('\n', 1)[0],
			startedAt: time(lastRebuild.startedAt),
			endedAt: time(lastRebuild.endedAt),
		},
	};
}

/**
 * Whether the `Host` header of a request names this machine by one of its own addresses. This protects against DNS
 * rebinding: a web page can point its own host name at this machine and read the responses, but its requests still carry
 * that name.
 * @param host the server listens on.
 * @param header unmodified value of `Host`.
 */
function isOwnHost(host: string, header: string | undefined): boolean {
	if (header === undefined || !HOST.test(header)) return false;
	const named = URL.parse(`http://${header}`);
	if (!named) return false;
	const name = named.hostname.replace(/^\[|\]$/g, '');
	if (name === 'localhost' || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)) return true;
	// A server that listens on all addresses accepts each of them, but no names: anyone can create those.
	if (EVERY.includes(host)) return isIP(name) !== 0;
	return (
		name === URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname.replace(/^\[|\]$/g, '')
	);
}

/** Contains nothing that would end the host part of a URL. */
const HOST = /^[^\s"/?#@\\]+$/;

/** Hosts that mean every address of the machine. */
const EVERY = ['0.0.0.0', '::', ''];

/** Options of {@link startReceiver}, with either the options of a new collector or an existing one. */
export type ReceiverOptions = ListeningOptions & (CollectingOptions | ReadyCollector);

/** How events are received. */
export interface ListeningOptions extends Pick<WebhookHandlerOptions, 'verify' | 'select' | 'maxBytes'> {
	/** 0 picks a free port. @default 4500 */
	readonly port?: number | undefined;
	/** @default '127.0.0.1' */
	readonly host?: string | undefined;
	/** Path of the events. @default '/' */
	readonly path?: string | undefined;
	/** Another receiver that gets the same events. @default none */
	readonly forward?: Forwarding | undefined;
	/** Time limit for receiving a whole request, in milliseconds. @default 10_000 */
	readonly requestTimeout?: number | undefined;
	/** Called with each log line. @default nothing is logged */
	readonly onLog?: ((line: string) => void) | undefined;
}

/** Options passed on to {@link createCollector}. */
export type CollectingOptions = Pick<
	CollectorOptions,
	'log' | 'rebuild' | 'debounce' | 'maxWait' | 'retryAfter' | 'retryAtMost'
>;

/** An existing collector, such as one from `product-reviews-webhook/redis`. */
export interface ReadyCollector {
	/** The receiver starts and closes it. */
	readonly collector: Collector;
}
