import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { bodyWasRead, quietly, WebhookConfigurationError, WebhookError } from '../errors.js';
import { answers, type ReceiveEvent } from '../handler/webhook-handler.js';
import { maskedAddress } from '../triggers/triggers.js';

/** A function from `Request` to `Response`. */
type FetchHandler = (request: Request) => Promise<Response>;

/** Options of {@link toNodeHandler}. */
export interface NodeHandlerOptions {
	/** Called with errors that the handler throws. @default `console.error` */
	readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Adapts a handler to `node:http` and Express. No body parser may run before it, except `express.raw()`, which keeps the
 * bytes unchanged.
 *
 * @throws never: if the handler throws, the error is reported and the response is 500; an invalid request gets 400.
 * @example http.createServer(toNodeHandler(createWebhookHandler({ verify, onChange }))).listen(4500)
 */
export function toNodeHandler(handler: FetchHandler, options: NodeHandlerOptions = {}) {
	const onError = quietly(options.onError ?? console.error);
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
		drain(incoming);
	};
}

/** `undefined` for a URL or a method that `Request` does not allow. */
function toRequest(incoming: IncomingMessage): Request | undefined {
	const { method = 'GET', url = '/' } = incoming;
	const hasBody = method !== 'GET' && method !== 'HEAD';
	try {
		return new Request(new URL(url, 'http://localhost'), {
			method,
			headers: toHeaders(incoming),
			...(hasBody && { body: bodyOf(incoming), duplex: 'half' }),
		});
	} catch {
		return undefined;
	}
}

/** A body whose stream can be abandoned midway: the connection must stay open for the response. */
function bodyOf(incoming: IncomingMessage & { body?: unknown }): Uint8Array<ArrayBuffer> | ReadableStream {
	if (incoming.body instanceof Uint8Array) return new Uint8Array(incoming.body);
	if (incoming.readableDidRead) return readBefore();
	return NodeStream.from(incoming.iterator({ destroyOnReturn: false })) as ReadableStream;
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

/** A body that was already read would look empty, so reading it throws instead. */
function readBefore(): ReadableStream {
	const start = (controller: ReadableStreamDefaultController) => controller.error(bodyWasRead());
	return new NodeStream({ start }) as ReadableStream;
}

/** How long a sender may take to finish a body that is not read, in milliseconds. */
const PATIENCE = 2_000;

/** Senders read the response only after sending the whole body, so the rest is discarded, for a limited time. */
export function drain(incoming: IncomingMessage): void {
	if (incoming.complete) return;
	const timer = setTimeout(() => incoming.destroy(), PATIENCE);
	incoming.once('close', () => clearTimeout(timer));
	incoming.on('data', () => {});
}

/** Keeps every value of a repeated header. */
export function toHeaders({ headersDistinct }: IncomingMessage): Headers {
	const headers = new Headers();
	for (const [name, values] of Object.entries(headersDistinct)) {
		for (const value of values ?? []) headers.append(name, value);
	}
	return headers;
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

/** Headers of an event. The other receiver verifies it again, so they are passed on unchanged. */
const HEADERS = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Passes genuine events on to another receiver, after their change is recorded. If that fails, the sender is told to send the
 * event again; the change is not recorded twice.
 * @param onError must not throw.
 * @throws WebhookConfigurationError for anything but an http(s) URL.
 */
export function withForwarding(
	receive: ReceiveEvent,
	{ url, keyHeader, timeout = 10_000 }: Forwarding,
	onError: (error: unknown) => void,
): ReceiveEvent {
	if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
		throw new WebhookConfigurationError('The address to forward events to is not an http(s) URL.');
	}
	const names = keyHeader === undefined ? HEADERS : [...HEADERS, keyHeader];
	return async (event) => {
		let body: Uint8Array<ArrayBuffer> | undefined;
		const readBody = async (mostBytes: number) => {
			body = await event.readBody(mostBytes);
			return body;
		};
		const answer = await receive({ ...event, readBody });
		if (answer.status !== 202 || !body) return answer;
		const headers = names.flatMap((name) => {
			const value = event.headers.get(name);
			return value === null ? [] : [[name, value] as [string, string]];
		});
		try {
			await forwardEvent(url, {
				method: 'POST',
				headers,
				body,
				signal: AbortSignal.timeout(timeout),
			});
			return answer;
		} catch (error) {
			onError(error);
			return answers.notForwarded();
		}
	};
}

/** @throws WebhookError whose message contains only the host of the URL. */
async function forwardEvent(url: string, init: RequestInit): Promise<void> {
	// Headers may contain a key, so they must not follow a redirect.
	const response = await fetch(url, { ...init, redirect: 'manual' }).catch(() => undefined);
	await response?.body?.cancel();
	if (response?.ok) return;
	const problem = response ? `answered ${response.status}` : 'could not be reached in time';
	throw new WebhookError('PR_FORWARD_FAILED', `${maskedAddress(url)} ${problem}. The sender tries again.`);
}
