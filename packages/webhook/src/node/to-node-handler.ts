import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { bodyWasRead } from '../errors.js';
import { quietly } from '../quietly.js';
import { drain } from './drain.js';
import { toHeaders } from './to-headers.js';

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
