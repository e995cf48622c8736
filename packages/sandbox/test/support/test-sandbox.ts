import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { OPERATIONS } from 'product-reviews-client/contract';
import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/index.js';

/** Starts a sandbox that ends with the test. Empty unless a seed is given: that takes a fraction of the time. */
export async function testSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({ seed: false, ...options });
	onTestFinished(() => sandbox.close());
	return sandbox;
}

/** Calls the operations, and the sandbox's own routes, with plain `fetch`. */
export function callsTo({ url, wsid, token }: Pick<Sandbox, 'url' | 'wsid' | 'token'>) {
	const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
		fetch(url + path, {
			method: 'POST',
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	return {
		post,
		/** @param path below `/__sandbox/`. */
		async send(method: string, path: string, body?: unknown) {
			const response = await fetch(`${url}/__sandbox/${path}`, {
				method,
				headers: { 'content-type': 'application/json' },
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
			const answer = await response.text();
			return { status: response.status, body: answer === '' ? undefined : JSON.parse(answer) };
		},
		starRating: (listProductId: unknown, headers?: Record<string, string>) =>
			post(OPERATIONS.starRating.path, { listProductId }, headers),
		productReviewData: (productId: unknown, headers?: Record<string, string>) =>
			post(OPERATIONS.productReviewData.path, { productId }, headers),
		crawlerReviews: (pid: string, query: Record<string, string> = {}, init?: RequestInit) => {
			const search = new URLSearchParams({ wsid, pid, ihtml: 'true', ijsonld: 'true', ...query });
			return fetch(`${url}${OPERATIONS.crawlerReviews.path}?${search}`, init);
		},
	};
}

/** Sends a request with any path and host as they are: `fetch` would tidy them up. */
export function ask(
	{ port }: Sandbox,
	line: string,
	headers: Record<string, string> = {},
): Promise<{ status: number | undefined; answer: string }> {
	const [method, path] = line.split(' ');
	return new Promise((resolve, reject) => {
		request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
			resolve({ status: response.statusCode, answer: await text(response) });
		})
			.once('error', reject)
			.end();
	});
}
