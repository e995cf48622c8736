import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from 'product-reviews-test-support/listen';

/** A service on a free port of this machine that answers operations 1 and 2 with whatever it is given. */
export interface RawDataService {
	readonly url: string;
	close(): Promise<void>;
}

/**
 * @param answers of operation 2 by product id.
 * @param items of operation 1 by product id.
 */
export async function startRawDataService(
	answers: ReadonlyMap<string, unknown>,
	items: ReadonlyMap<string, unknown>,
): Promise<RawDataService> {
	const server = createServer(async (request, response) => {
		const answer = await answerTo(request, answers, items);
		if (answer === undefined) return response.writeHead(404).end('{}');
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
	});
	return {
		...(await listen(server)),
	};
}

async function answerTo(
	request: IncomingMessage,
	answers: ReadonlyMap<string, unknown>,
	items: ReadonlyMap<string, unknown>,
): Promise<unknown> {
	if (request.method !== 'POST') return undefined;
	const body = (await json(request)) as { productId?: string; listProductId?: string[] };
	if (request.url === '/api/v1/getProductReviewData') return answers.get(body.productId ?? '');
	return { success: true, data: (body.listProductId ?? []).flatMap((pid) => items.get(pid) ?? []) };
}
