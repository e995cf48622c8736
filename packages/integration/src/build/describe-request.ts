import type { RequestFacts } from '../outcomes/create-request-counts.js';
import { amount, nameProducts, size } from '../text/words.js';

/** Products named in a line; the rest are counted. */
const MOST_NAMED = 5;

/**
 * One request for the log, without a secret.
 * @example 'GET https://reviews.example/path "p-1": 200 in 34 ms, 12.3 KB, try 1'
 */
export function describeRequest(facts: RequestFacts): string {
	const { method, url, pids, attempt, status, durationMs, bytes, code } = facts;
	const answer = `${status ?? 'no answer'} in ${amount(Math.round(durationMs))} ms`;
	const parts = [answer, size(bytes), `try ${attempt}`].join(', ');
	return `${method} ${url} ${nameProducts(pids, MOST_NAMED)}: ${parts}${code ? ` [${code}]` : ''}`;
}
