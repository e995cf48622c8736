// Runs in a thread of its own: requests, and the reading, rendering and compressing of what they bring, go on while
// Astro's bundling and rendering keep the main thread busy.
import { parentPort, workerData } from 'node:worker_threads';
import { describeFailure } from '../failures/describe-failure.js';
import type { Command, Report, ThreadData } from './messages.js';
import { type PieceTask, writePieces } from './pieces.js';
import { postTogether } from './post-together.js';
import type { ReviewService } from './review-service.js';

const port = parentPort;
if (!port) throw new Error('This module is a worker thread; it is not to be imported.');

const { client, hasToken, concurrency } = workerData as ThreadData;
const report = postTogether<Report>((messages) => port.postMessage(messages), setImmediate);
let tokenAsked: PromiseWithResolvers<string> | undefined;

let task: PieceTask | undefined;
let opened: Promise<ReviewService> | undefined;

port.on('message', (commands: readonly Command[]) => commands.forEach(obey));

function obey(command: Command): void {
	if (command.type === 'fetch')
		void answer(command.id, async (id) => ({
			type: 'fetched',
			id,
			fetched: await (await service()).fetch(command.resource, command.pid, command.validators),
		}));
	else if (command.type === 'fetch-ratings')
		void answer(command.id, async (id) => ({
			type: 'ratings',
			id,
			ratings: await (await service()).fetchRatings(command.pids),
		}));
	else if (command.type === 'finish') task = command.task;
	else if (command.type === 'hurry')
		// That it cannot be opened is for those to hear who fetch.
		opened?.then(
			({ hurry }) => hurry(command.resource, command.pid),
			() => {},
		);
	else if (command.type === 'token') tokenAsked?.resolve(command.token);
	else tokenAsked?.reject(new Error(command.message));
}

function service(): Promise<ReviewService> {
	opened ??= openService();
	return opened;
}

async function openService(): Promise<ReviewService> {
	const [{ createPacedService }, { fetchWhole }] = await Promise.all([
		import('./create-paced-service.js'),
		import('./fetch-whole.js'),
	]);
	return createPacedService(
		{
			...client,
			fetch: fetchWhole,
			token: hasToken ? askForToken : undefined,
			onRequest: ({ operation, pids, attempt, bytes, durationMs }) =>
				report({ type: 'request', facts: { operation, pids, attempt, bytes, durationMs } }),
		},
		concurrency,
		(resource, stored) => task && writePieces(task, resource, stored),
	);
}

async function answer(id: number, ask: (id: number) => Promise<Report>): Promise<void> {
	try {
		report(await ask(id));
	} catch (error) {
		// With what asks the service, for the same reason.
		const [{ refusalOf }, { kindOf }] = await Promise.all([
			import('../failures/failure-kind.js'),
			import('../failures/failure-kind.js'),
		]);
		const kind = kindOf(error);
		report({ type: 'failed', id, reason: describeFailure(error), kind, refusal: refusalOf(error) });
	}
}

function askForToken(): Promise<string> {
	tokenAsked = Promise.withResolvers();
	report({ type: 'token-wanted' });
	return tokenAsked.promise;
}
