// Runs in a thread of its own: requests, and the reading and compressing of what they bring, go on while Astro's
// bundling and rendering keep the main thread busy.
import { parentPort, workerData } from 'node:worker_threads';
import { describeFailure } from '../prefetch/describe-failure.js';
import { createPacedService } from './create-paced-service.js';
import { fetchWhole } from './fetch-whole.js';
import type { Command, Report, ThreadData } from './messages.js';
import { postTogether } from './post-together.js';

const port = parentPort;
if (!port) throw new Error('This module is a worker thread; it is not to be imported.');

const { client, hasToken, concurrency } = workerData as ThreadData;
const report = postTogether<Report>((messages) => port.postMessage(messages), setImmediate);
let tokenAsked: PromiseWithResolvers<string> | undefined;

const service = createPacedService(
	{
		...client,
		fetch: fetchWhole,
		token: hasToken ? askForToken : undefined,
		onRequest: ({ operation, pids, attempt, bytes, durationMs }) =>
			report({ type: 'request', facts: { operation, pids, attempt, bytes, durationMs } }),
	},
	concurrency,
);

port.on('message', (commands: readonly Command[]) => commands.forEach(obey));

function obey(command: Command): void {
	if (command.type === 'fetch')
		void answer(command.id, async (id) => ({
			type: 'fetched',
			id,
			fetched: await service.fetch(command.resource, command.pid, command.validators, command.wantsBlocks),
		}));
	else if (command.type === 'fetch-ratings')
		void answer(command.id, async (id) => ({
			type: 'ratings',
			id,
			ratings: await service.fetchRatings(command.pids),
		}));
	else if (command.type === 'begin-blocks') service.beginBlocks(command.task);
	else if (command.type === 'write-blocks')
		void answer(command.id, async (id) => ({
			type: 'blocks',
			id,
			blocks: await service.writeBlocks(command.pids),
		}));
	else if (command.type === 'hurry') service.hurry(command.resource, command.pid);
	else if (command.type === 'token') tokenAsked?.resolve(command.token);
	else tokenAsked?.reject(new Error(command.message));
}

async function answer(id: number, ask: (id: number) => Promise<Report>): Promise<void> {
	try {
		report(await ask(id));
	} catch (error) {
		report({ type: 'failed', id, reason: describeFailure(error) });
	}
}

function askForToken(): Promise<string> {
	tokenAsked = Promise.withResolvers();
	report({ type: 'token-wanted' });
	return tokenAsked.promise;
}
