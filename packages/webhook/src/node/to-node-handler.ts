import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { quietly } from '../errors.js';
import { bodyWasRead } from '../handler.js';

/** In milliseconds. */
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
