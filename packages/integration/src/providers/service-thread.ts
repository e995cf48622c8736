// Runs in its own thread, so that requesting, parsing and compressing continue while Astro's bundling and rendering keep the
// main thread busy.
import { parentPort, workerData } from 'node:worker_threads';
import { ReviewsError } from 'product-reviews-client/errors';
import { codeOf, describeFailure, kindOf, refusalOf } from '../base/failures.js';
import type { ReviewServiceError } from '../errors.js';
import type { Resource } from '../records/parts.js';
import type { Ratings } from '../records/rating.js';
import { createHostedFetcher, type HostedClient } from './hosted-fetcher.js';
import type { Fetched, RequestFacts } from './review-fetcher.js';

/** Data that the thread starts with. It does not contain the token, which the thread requests when needed. */
export interface ThreadData {
	readonly client: HostedClient;
	readonly hasToken: boolean;
}

export type Question =
	| {
			readonly type: 'fetch';
			readonly resource: Resource;
			readonly pid: string;
			readonly validators?: string | undefined;
	  }
	| { readonly type: 'fetch-ratings'; readonly pids: readonly string[] };

export type Command =
	| { readonly type: 'ask'; readonly id: number; readonly question: Question }
	| { readonly type: 'prioritize'; readonly resource: Resource; readonly pid: string }
	| { readonly type: 'token'; readonly token: string }
	/** Without a message, it may contain a secret. */
	| { readonly type: 'no-token'; readonly message: string | undefined };

/** Reason for which a question has no answer. An error itself cannot be passed between threads as it is. */
interface AskedFailure extends Pick<ReviewServiceError, 'kind' | 'code' | 'refusal'> {
	readonly reason: string;
}

export type Report =
	| { readonly type: 'answered'; readonly id: number; readonly answer: Fetched | Ratings }
	| { readonly type: 'failed'; readonly id: number; readonly failure: AskedFailure }
	| { readonly type: 'request'; readonly facts: RequestFacts }
	| { readonly type: 'token-wanted'; readonly refused: string | undefined };

const port = parentPort;
if (!port) throw new Error('This module is a worker thread and cannot be imported.');
const report = (message: Report) => port.postMessage(message);

const { client, hasToken } = workerData as ThreadData;
let tokenAsked: PromiseWithResolvers<string> | undefined;

const service = createHostedFetcher(client, {
	token: hasToken
		? (refused) => {
				tokenAsked = Promise.withResolvers();
				report({ type: 'token-wanted', refused });
				return tokenAsked.promise;
			}
		: undefined,
	onRequest: (facts) => report({ type: 'request', facts }),
});

port.on('message', (command: Command) => {
	if (command.type === 'ask') void answer(command.id, command.question);
	else if (command.type === 'prioritize') service.prioritize(command.resource, command.pid);
	else if (command.type === 'token') tokenAsked?.resolve(command.token);
	else if (command.message === undefined) tokenAsked?.reject(new Error());
	else tokenAsked?.reject(new ReviewsError('PR_TOKEN_UNUSABLE', command.message));
});

async function answer(id: number, asked: Question): Promise<void> {
	try {
		const answer = await (asked.type === 'fetch'
			? service.fetch(asked.resource, asked.pid, asked.validators)
			: service.fetchRatings(asked.pids));
		report({ type: 'answered', id, answer });
	} catch (error) {
		const facts = { kind: kindOf(error), code: codeOf(error), refusal: refusalOf(error) };
		report({ type: 'failed', id, failure: { reason: describeFailure(error), ...facts } });
	}
}
