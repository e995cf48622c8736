// Runs in its own thread, so that requesting, parsing, rendering and compressing continue while Astro's bundling and
// rendering keep the main thread busy.
import { parentPort, workerData } from 'node:worker_threads';
import { createReviewsClient } from 'product-reviews-client';
import { describeFailure } from '../failures/describe-failure.js';
import { codeOf, kindOf, refusalOf } from '../failures/policy.js';
import { createReviewService } from './create-review-service.js';
import { fetchWhole } from './fetch-whole.js';
import type { Command, Report, ThreadData } from './messages.js';
import { postTogether } from './post-together.js';
import { type PieceTask, writePieces } from './review-service.js';

const port = parentPort;
if (!port) throw new Error('This module is a worker thread and cannot be imported.');

const { client, hasToken } = workerData as ThreadData;
const report = postTogether<Report>((messages) => port.postMessage(messages), setImmediate);
let tokenAsked: PromiseWithResolvers<string> | undefined;
let task: PieceTask | undefined;

const service = createReviewService(
	createReviewsClient({
		...client,
		fetch: fetchWhole,
		token: hasToken ? askForToken : undefined,
		// An error cannot be passed to the other thread as it is, and its message is reported with the product.
		onRequest: ({ error, ...facts }) =>
			report({ type: 'request', facts: error ? { ...facts, code: codeOf(error) } : facts }),
	}),
	(resource, stored) => task && writePieces(task, resource, stored),
);

port.on('message', (commands: readonly Command[]) => commands.forEach(obey));

function obey(command: Command): void {
	if (command.type === 'fetch') {
		const { id, resource, pid, validators } = command;
		void answer(id, async () => ({
			type: 'fetched',
			id,
			fetched: await service.fetch(resource, pid, validators),
		}));
	} else if (command.type === 'fetch-ratings') {
		const { id, pids } = command;
		void answer(id, async () => ({ type: 'ratings', id, ratings: await service.fetchRatings(pids) }));
	} else if (command.type === 'prioritize') service.prioritize(command.resource, command.pid);
	else if (command.type === 'finish') task = command.task;
	else if (command.type === 'token') tokenAsked?.resolve(command.token);
	else tokenAsked?.reject(new Error(command.message));
}

async function answer(id: number, ask: () => Promise<Report>): Promise<void> {
	try {
		report(await ask());
	} catch (error) {
		const reason = describeFailure(error);
		report({
			type: 'failed',
			id,
			reason,
			kind: kindOf(error),
			code: codeOf(error),
			refusal: refusalOf(error),
		});
	}
}

function askForToken(): Promise<string> {
	tokenAsked = Promise.withResolvers();
	report({ type: 'token-wanted' });
	return tokenAsked.promise;
}
