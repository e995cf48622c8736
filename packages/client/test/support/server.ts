import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from 'product-reviews-test-support/listen';
import { payloadAt } from './payloads.js';

/** A request that the server has seen. */
export interface Call {
	readonly method: string;
	readonly path: string;
	readonly url: string;
	readonly headers: IncomingMessage['headers'];
	/** The request's JSON body, if it had one. */
	readonly body: unknown;
	/** Ids of the products that were asked for. */
	readonly pids: readonly string[];
}

/** Answers one request; `count` is 1 for the first one that it sees. */
export type Behaviour = (response: ServerResponse, call: Call, count: number) => void;

/** A service on a free port of this machine. It answers everything well until it is told otherwise. */
export async function startServer() {
	const calls: Call[] = [];
	let behaviour: Behaviour = answerWell;
	let count = 0;
	const server = createServer(async (request, response) => {
		const call = toCall(request, await text(request));
		calls.push(call);
		count += 1;
		behaviour(response, call, count);
	});
	const { url, close } = await listen(server);
	/** From now on this answers every request. */
	const answer = (next: Behaviour) => {
		behaviour = next;
		count = 0;
	};
	return { origin: url, calls, answer, close };
}

/** The documented answer of each operation. */
export const answerWell: Behaviour = (response, { path, pids }) => sendJson(response, payloadAt(path, pids));

type Headers = Readonly<Record<string, string>>;

export function sendJson(response: ServerResponse, body: unknown, headers: Headers = {}): void {
	response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function sendStatus(response: ServerResponse, status: number, headers: Headers = {}): void {
	response.writeHead(status, headers).end('{}');
}

function toCall({ method = '', url = '/', headers }: IncomingMessage, content: string): Call {
	const body = content === '' ? undefined : JSON.parse(content);
	const { pathname: path, searchParams } = new URL(url, 'http://localhost');
	const pid = body?.productId ?? searchParams.get('pid') ?? undefined;
	return { method, path, url, headers, body, pids: body?.listProductId ?? (pid === undefined ? [] : [pid]) };
}
