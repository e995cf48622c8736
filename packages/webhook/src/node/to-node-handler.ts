import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadableStream as NodeStream } from 'node:stream/web';

/** A function from `Request` to `Response`. */
type FetchHandler = (request: Request) => Promise<Response>;

/** Time in which a sender can end a body that nobody reads, in milliseconds. */
const PATIENCE = 2_000;

/**
 * Lets a handler answer requests of `node:http`, and of Express as long as no body parser ran before.
 *
 * @throws never: what the handler throws is answered with 500, and what is no request with 400.
 * @example http.createServer(toNodeHandler(createWebhookHandler({ verify, onChange }))).listen(4500)
 */
export function toNodeHandler(handler: FetchHandler) {
	return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
		const request = toRequest(incoming);
		try {
			if (request) await send(await handler(request), outgoing);
			else outgoing.writeHead(400).end();
		} catch {
			if (!outgoing.headersSent) outgoing.writeHead(500).end();
			else outgoing.destroy();
		}
		if (!incoming.complete) drain(incoming);
	};
}

/** A sender reads the answer only when it could send its body. What comes is thrown away, and not for long. */
function drain(incoming: IncomingMessage): void {
	const timer = setTimeout(() => incoming.destroy(), PATIENCE);
	incoming.once('close', () => clearTimeout(timer));
	incoming.on('data', () => {});
}

/** `undefined` for an address or a method that no `Request` can have. */
function toRequest(incoming: IncomingMessage): Request | undefined {
	const { method = 'GET', url = '/', headersDistinct } = incoming;
	const headers = new Headers();
	for (const [name, values] of Object.entries(headersDistinct)) {
		for (const value of values ?? []) headers.append(name, value);
	}
	const hasBody = method !== 'GET' && method !== 'HEAD';
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

/** A body that can be left in the middle: the connection has to last for the answer. */
function bodyOf(incoming: IncomingMessage): ReadableStream {
	return NodeStream.from(incoming.iterator({ destroyOnReturn: false })) as ReadableStream;
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
	outgoing.writeHead(response.status, Object.fromEntries(response.headers));
	outgoing.end(new Uint8Array(await response.arrayBuffer()));
}
