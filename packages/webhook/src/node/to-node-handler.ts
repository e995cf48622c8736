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
	/** Hears what the handler threw. @default `console.error` */
	readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Lets a handler answer requests of `node:http` and of Express. A body parser must not have run before, other than
 * `express.raw()`, which leaves the bytes as they came.
 *
 * @throws never: what the handler throws is told and answered with 500, and what is no request with 400.
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
			// Of a sender that went away nobody needs to hear.
			if (incoming.complete || !incoming.destroyed) onError(error);
			if (!outgoing.headersSent) outgoing.writeHead(500).end();
			else outgoing.destroy();
		}
		drain(incoming);
	};
}

/** `undefined` for an address or a method that no `Request` can have. */
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

/** A body that can be left in the middle: the connection has to last for the answer. */
function bodyOf(incoming: IncomingMessage & { body?: unknown }): Uint8Array<ArrayBuffer> | ReadableStream {
	if (incoming.body instanceof Uint8Array) return new Uint8Array(incoming.body);
	if (incoming.readableDidRead) return readBefore();
	return NodeStream.from(incoming.iterator({ destroyOnReturn: false })) as ReadableStream;
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
	const body = new Uint8Array(await response.arrayBuffer());
	// With its length the answer is one piece, and not several.
	const headers = {
		...(body.length > 0 && { 'content-length': body.length }),
		...Object.fromEntries(response.headers),
	};
	outgoing.writeHead(response.status, headers).end(body);
}

/** It would be taken for an empty one: whoever reads it is told. */
function readBefore(): ReadableStream {
	const start = (controller: ReadableStreamDefaultController) => controller.error(bodyWasRead());
	return new NodeStream({ start }) as ReadableStream;
}
