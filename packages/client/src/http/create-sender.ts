import type { Settings } from '../options/resolve-options.js';
import { createPacer, type Pacer } from '../pacing/create-pacer.js';
import type { ClientContext } from './client-context.js';
import { createRestingError } from './create-error.js';
import type { TokenSource } from './create-token-source.js';
import { factsOf } from './facts-of.js';
import type { ReadAnswer, ReviewsRequest } from './reviews-request.js';
import { runOperation } from './run-operation.js';

/**
 * Sends a request when its turn comes, as often as the rules allow.
 *
 * @returns the result of `read`; `undefined` for a 404 of the service itself; `'unchanged'` for a 304, which is an error
 * if the request has no `known`.
 * @throws one of the package's errors, or the reason of the caller's signal.
 */
export interface Send {
	<Answer>(
		request: ReviewsRequest & { known?: undefined },
		read: ReadAnswer<Answer>,
	): Promise<Answer | undefined>;
	<Answer>(request: ReviewsRequest, read: ReadAnswer<Answer>): Promise<Answer | 'unchanged' | undefined>;
}

/** Sends all requests of one client to the service. */
export interface Sender {
	readonly send: Send;
	readonly prioritize: Pacer['prioritize'];
}

/** Creates the sender of one client, with one pacer for all requests. */
export function createSender(settings: Settings, tokens: TokenSource): Sender {
	const pacer = createPacer(settings);
	const context: ClientContext = { settings, tokens, pacer };
	const send = <Answer>(request: ReviewsRequest, read: ReadAnswer<Answer>) =>
		pacer.run(
			request,
			() => runOperation(context, request, read),
			({ failures, milliseconds }) =>
				createRestingError(failures, settings.now() + milliseconds, factsOf(context, request)),
		);
	return { send: send as Send, prioritize: pacer.prioritize };
}
