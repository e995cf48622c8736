import { createServer } from 'node:http';
import { listen } from 'product-reviews-test-support/listen';
import { type RawProduct, rawAnswer } from './raw-answer.js';

/** A service on a free port of this machine that prints what strangers typed as it came. */
export interface RawService {
	readonly url: string;
	/** The query of every request, as it was sent. */
	readonly queries: readonly string[];
	close(): Promise<void>;
}

/** @param productOf gives what is to be sent about a product; `undefined` answers that it is broken. */
export async function startRawService(
	productOf: (pid: string) => RawProduct | undefined,
): Promise<RawService> {
	const queries: string[] = [];
	const server = createServer((request, response) => {
		const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://localhost');
		if (pathname !== '/api/llmRvwHTML') return response.writeHead(404).end();
		queries.push(search);
		const pid = searchParams.get('pid') ?? '';
		const product = productOf(pid);
		if (!product) return response.writeHead(500).end();
		const { aggregate, html, jsonld } = rawAnswer(pid, product);
		const dataCount = { prtng: aggregate.count, avgrtng: aggregate.average };
		response
			.writeHead(200, { 'content-type': 'application/json' })
			.end(JSON.stringify({ status: 200, pid, dataCount, html, jsonld }));
	});
	return {
		...(await listen(server)),
		queries,
	};
}
