import { createServer } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { Collector, type CollectorOptions } from '../collector.js';
import { checkNumber, messageOf, quietly, WebhookConfigurationError, WebhookError } from '../errors.js';
import { createWebhookHandler, refuse, type WebhookHandlerOptions } from '../handler.js';
import { messages } from '../messages.js';
import { isLoopback } from '../triggers.js';
import { toNodeHandler } from './to-node-handler.js';

/** Options of {@link startReceiver}: how events are received, collected and acted on. */
export interface ReceiverOptions
	extends Pick<WebhookHandlerOptions, 'verify' | 'select' | 'maxBytes'>,
		CollectorOptions {
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
}

/** Where events are passed on to. */
export interface Forwarding {
	/** URL of another receiver, such as the endpoint of the site itself. */
	readonly url: string;
	/** Header with a fixed key, if the sender cannot sign. */
	readonly keyHeader?: string | undefined;
	/** Time limit for its response, in milliseconds. @default 10_000 */
	readonly timeout?: number | undefined;
}

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

/** How often to check for requests that exceed their time limit, in milliseconds. */
const CHECK_INTERVAL = 1_000;

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
	const collector = new Collector(options);
	const onError = quietly((error: unknown) => options.onLog?.(messages.eventFailed(messageOf(error))));
	const record = createWebhookHandler({ ...options, onChange: (change) => collector.add(change), onError });
	const receive = forward ? withForwarding(record, forward, onError) : record;
	const respond = async (request: Request): Promise<Response> => {
		const { pathname } = new URL(request.url);
		if (pathname === path) return receive(request);
		if (pathname === '/healthz') return answerHealth(collector);
		if (pathname !== '/status') return refuse(404, messages.notFound);
		const isAllowed = isOwnHost(host, request.headers.get('host') ?? '');
		return isAllowed ? answerStatus(collector) : refuse(403, messages.wrongHost);
	};
	const server = createServer(
		{
			requestTimeout,
			headersTimeout: requestTimeout,
			// By default Node checks every 30 s, so a request could take that much longer.
			connectionsCheckingInterval: Math.min(CHECK_INTERVAL, requestTimeout),
		},
		toNodeHandler(respond, { onError }),
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
		url: `http://${inUrl(host)}:${address.port}${path}`,
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

/** A receiver that cannot keep events is not healthy: whoever sends them should go to another. */
async function answerHealth(collector: Collector): Promise<Response> {
	return collector.status().then(
		() => Response.json({ status: 'ok' }),
		() => refuse(503, messages.unhealthy),
	);
}

/** Answers with the status, in which times are in ISO 8601. */
async function answerStatus(collector: Collector): Promise<Response> {
	const time = (milliseconds: number | undefined) =>
		milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
	try {
		const { lastRebuild, nextRebuildAt, ...others } = await collector.status();
		return Response.json({
			...others,
			nextRebuildAt: time(nextRebuildAt),
			lastRebuild: lastRebuild && {
				...lastRebuild,
				// Everything after the first line is output of the build, which may contain anything.
				error: lastRebuild.error?.split('\n', 1)[0],
				startedAt: time(lastRebuild.startedAt),
				endedAt: time(lastRebuild.endedAt),
			},
		});
	} catch {
		return refuse(503, messages.noStatus);
	}
}

/** Contains nothing that would end the host part of a URL. */
const HOST = /^[^\s"/?#@\\]+$/;

/**
 * Whether the `Host` header of a request names this machine by one of its own addresses. This protects against DNS
 * rebinding: a web page can point its own host name at this machine and read the responses, but its requests still carry
 * that name.
 * @param host the server listens on.
 * @param header unmodified value of `Host`.
 */
function isOwnHost(host: string, header: string): boolean {
	const name = HOST.test(header) ? URL.parse(`http://${header}`)?.hostname : undefined;
	if (name === undefined) return false;
	if (isLoopback(name)) return true;
	// A server that listens on all addresses accepts each of them, but no names: anyone can create those.
	if (['0.0.0.0', '::', ''].includes(host)) return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
	return name === URL.parse(`http://${inUrl(host)}`)?.hostname;
}

function inUrl(host: string): string {
	return host.includes(':') ? `[${host}]` : host;
}

/** Headers of an event. The other receiver verifies it again, so they are passed on unchanged. */
const EVENT_HEADERS = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Passes genuine events on to another receiver, after their change is recorded. If that fails, the sender is told to send the
 * event again; the change is not recorded twice.
 * @throws WebhookConfigurationError for anything but an http(s) URL.
 */
function withForwarding(
	receive: (request: Request) => Promise<Response>,
	{ url, keyHeader, timeout = 10_000 }: Forwarding,
	onError: (error: unknown) => void,
): (request: Request) => Promise<Response> {
	if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
		throw new WebhookConfigurationError(messages.forward);
	const names = keyHeader === undefined ? EVENT_HEADERS : [...EVENT_HEADERS, keyHeader];
	return async (request) => {
		const copy = request.clone();
		const answer = await receive(request);
		if (answer.status !== 202) {
			await copy.body?.cancel();
			return answer;
		}
		const headers = names.flatMap((name): [string, string][] => {
			const value = request.headers.get(name);
			return value === null ? [] : [[name, value]];
		});
		const response = await fetch(url, {
			method: 'POST',
			headers,
			body: await copy.arrayBuffer(),
			signal: AbortSignal.timeout(timeout),
			// Headers may contain a key, so they must not follow a redirect.
			redirect: 'manual',
		}).catch(() => undefined);
		await response?.body?.cancel();
		if (response?.ok) return answer;
		onError(new WebhookError('PR_FORWARD_FAILED', messages.forwardFailed(url, response?.status)));
		return refuse(503, messages.notForwarded, { 'retry-after': '30' });
	};
}
