import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from 'product-reviews-test-support/listen';
import { type RawProduct, rawAnswer } from './raw-answer.js';

/** A service on a free port of this machine that prints what strangers typed as it came. */
export interface RawService {
	readonly url: string;
	/** The query of every request of operation 3, as it was sent. */
	readonly queries: readonly string[];
	close(): Promise<void>;
}

/** What operations 1 and 2 answer about a product. Without it, they do not work. */
interface RawData {
	readonly item: (pid: string) => unknown;
	readonly answer: (pid: string) => unknown;
}

/** @param productOf gives what is to be sent about a product; `undefined` answers that it is broken. */
export async function startRawService(
	productOf: (pid: string) => RawProduct | undefined,
	data?: RawData,
): Promise<RawService> {
	const queries: string[] = [];
	const server = createServer(async (request, response) => {
		const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://localhost');
		const send = (value: unknown) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
		if (data && request.method === 'POST') return send(await dataFor(request, pathname, data));
		if (pathname !== '/api/llmRvwHTML') return response.writeHead(404).end();
		queries.push(search);
		const pid = searchParams.get('pid') ?? '';
		const product = productOf(pid);
		if (!product) return response.writeHead(500).end();
		const { aggregate, html, jsonld } = rawAnswer(pid, product);
		send({
			status: 200,
			pid,
			dataCount: { prtng: aggregate.count, avgrtng: aggregate.average },
			html,
			jsonld,
		});
	});
	return { ...(await listen(server)), queries };
}

async function dataFor(request: IncomingMessage, pathname: string, { item, answer }: RawData) {
	const body = (await json(request)) as { productId?: string; listProductId?: string[] };
	if (pathname === '/api/v1/getProductReviewData') return answer(body.productId ?? '');
	return { success: true, data: (body.listProductId ?? []).flatMap((pid) => item(pid) ?? []) };
}
