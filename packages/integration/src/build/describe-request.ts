import type { RequestFacts } from '../outcomes/tally.js';
import { amount, nameProducts, size } from '../text/words.js';

/** Products named in a line; the rest are counted. */
const MOST_NAMED = 5;

/** Method and path of each operation. */
const REQUESTS = {
	starRating: 'POST /api/v1/getStarRating',
	productReviewData: 'POST /api/v1/getProductReviewData',
	crawlerReviews: 'GET /api/llmRvwHTML',
} as const satisfies Record<RequestFacts['operation'], string>;

/**
 * One request for the log, without the query string or a secret.
 * @param baseUrl address of the service.
 * @example 'GET https://reviews.example/api/llmRvwHTML "p-1": 200 in 34 ms, 12.3 KB, try 1'
 */
export function describeRequest(
	{ operation, pids, attempt, status, durationMs, bytes, code }: RequestFacts,
	baseUrl: string,
): string {
	const [method, path] = REQUESTS[operation].split(' ');
	const answer = `${status ?? 'no answer'} in ${amount(Math.round(durationMs))} ms`;
	const parts = [answer, size(bytes), `try ${attempt}`].join(', ');
	const where = `${method} ${new URL(baseUrl).origin}${path}`;
	return `${where} ${nameProducts(pids, MOST_NAMED)}: ${parts}${code ? ` [${code}]` : ''}`;
}
