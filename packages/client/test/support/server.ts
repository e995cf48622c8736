import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from 'product-reviews-test-support/listen';
import { crawlerPayload, reviewDataPayload, starRatingItemOf } from './payloads.js';

/** A request that the server has seen. */
interface Call {
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

export interface TestServer {
	readonly origin: string;
	readonly calls: readonly Call[];
	/** From now on this answers every request. */
	answer(behaviour: Behaviour): void;
	close(): Promise<void>;
}

/** A service on a free port of this machine. It answers everything well until it is told otherwise. */
export async function startServer(): Promise<TestServer> {
	const calls: Call[] = [];
	let behaviour: Behaviour = answerWell;
	let count = 0;
	const server = createServer(async (request, response) => {
		const call = await toCall(request);
		calls.push(call);
		count += 1;
		behaviour(response, call, count);
	});
	const { url, close } = await listen(server);
	return {
		origin: url,
		calls,
		answer(next) {
			behaviour = next;
			count = 0;
		},
		close,
	};
}

/** The documented answer of each operation. */
export const answerWell: Behaviour = (response, { path, pids }) => {
	if (path === '/api/llmRvwHTML') return sendJson(response, crawlerPayload(pids[0] ?? ''));
	if (path === '/api/v1/getProductReviewData') return sendJson(response, reviewDataPayload(pids[0] ?? ''));
	sendJson(response, { success: true, data: pids.map(starRatingItemOf) });
};

export function sendJson(
	response: ServerResponse,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function sendStatus(
	response: ServerResponse,
	status: number,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, headers).end('{}');
}

async function toCall(request: IncomingMessage): Promise<Call> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	const text = Buffer.concat(chunks).toString();
	const body: unknown = text === '' ? undefined : JSON.parse(text);
	const url = new URL(request.url ?? '/', 'http://localhost');
	const { listProductId, productId } = (body ?? {}) as { listProductId?: string[]; productId?: string };
	const queried = url.searchParams.get('pid');
	const single = productId ?? queried;
	return {
		method: request.method ?? '',
		path: url.pathname,
		url: request.url ?? '',
		headers: request.headers,
		body,
		pids: listProductId ?? (single === null ? [] : [single]),
	};
}
