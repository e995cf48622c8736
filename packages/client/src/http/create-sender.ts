import type { Settings } from '../options/resolve-options.js';
import { createGate, type Gate } from './create-gate.js';
import { createRetryBudget, type RetryBudget } from './create-retry-budget.js';
import type { TokenSource } from './create-token-source.js';
import type { ReadAnswer, ReviewsRequest } from './reviews-request.js';
import { runOperation } from './run-operation.js';

/**
 * Sends a request as often as the rules allow.
 *
 * @returns what `read` made of the answer; `undefined` for a 404 of the service itself; `'unchanged'` for a 304, which is an error where the
 * request has nothing `known`.
 * @throws one of the package's errors, or the reason of the caller's signal.
 */
export interface Send {
	<Answer>(
		request: ReviewsRequest & { known?: undefined },
		read: ReadAnswer<Answer>,
	): Promise<Answer | undefined>;
	<Answer>(request: ReviewsRequest, read: ReadAnswer<Answer>): Promise<Answer | 'unchanged' | undefined>;
}

/** What all operations of one client share. */
export interface Connection {
	readonly settings: Settings;
	readonly tokens: TokenSource;
	readonly gate: Gate;
	readonly budget: RetryBudget;
}

/** Makes the function through which all requests of one client go, with one gate and one budget for all of them. */
export function createSender(settings: Settings, tokens: TokenSource): Send {
	const connection = { settings, tokens, gate: createGate(settings), budget: createRetryBudget() };
	const send = <Answer>(request: ReviewsRequest, read: ReadAnswer<Answer>) =>
		runOperation(connection, request, read);
	return send as Send;
}
