import { OPERATIONS } from 'product-reviews-client/contract';
import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/index.js';

/** Starts a sandbox that ends with the test. Empty unless a seed is given: that takes a fraction of the time. */
export async function testSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({ seed: false, ...options });
	onTestFinished(() => sandbox.close());
	return sandbox;
}

/** Calls the operations with plain `fetch`. */
export function callsTo({ url, wsid, token }: Pick<Sandbox, 'url' | 'wsid' | 'token'>) {
	const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
		fetch(url + path, {
			method: 'POST',
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	return {
		post,
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
