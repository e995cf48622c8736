import { Worker } from 'node:worker_threads';
import type { ReviewsClientOptions } from 'product-reviews-client';
import type { Blocks } from '../ahead/block-writer.js';
import { ServiceError } from '../errors.js';
import type { Command, Report, ThreadData } from './messages.js';
import { postTogether } from './post-together.js';
import type { BlockService, Fetched, Ratings, RequestFacts, ReviewService } from './review-service.js';

type Token = (() => string | Promise<string>) | undefined;

/** What a thread of its own does for a build. */
export type ServiceThread = ReviewService & BlockService;

/**
 * Asks the service from a thread of its own.
 * @param options of the client, checked.
 * @param token is called in this thread, whenever the other needs it.
 */
export function startServiceThread(
	options: ThreadData['client'] & Pick<ReviewsClientOptions, 'baseUrl' | 'wsid'>,
	token: Token,
	concurrency: number,
	onRequest: (facts: RequestFacts) => void,
): ServiceThread {
	const workerData: ThreadData = { client: options, hasToken: token !== undefined, concurrency };
	// A build of a few pages whose reviews are stored asks for nothing: it needs no thread.
	let started: Worker | undefined;
	const worker = (): Worker => {
		started ??= listen(
			new Worker(new URL('./service-thread.js', import.meta.url), {
				workerData,
				name: 'product-reviews',
				resourceLimits: memoryLimits(options, concurrency),
			}),
		);
		return started;
	};
	const waiting = new Map<number, PromiseWithResolvers<unknown>>();
	let lastId = 0;
	let ended: Error | undefined;
	const send = postTogether<Command>((commands) => ended || worker().postMessage(commands), queueMicrotask);
	const end = (reason: Error) => {
		ended ??= reason;
		for (const { reject } of waiting.values()) reject(ended);
		waiting.clear();
	};
	const settle = (id: number) => {
		const settled = waiting.get(id);
		waiting.delete(id);
		return settled;
	};

	const ask = <Answer>(command: (id: number) => Command): Promise<Answer> => {
		if (ended) return Promise.reject(ended);
		const id = ++lastId;
		const asked = Promise.withResolvers<Answer>();
		waiting.set(id, asked as PromiseWithResolvers<unknown>);
		send(command(id));
		return asked.promise;
	};

	function take(report: Report): void {
		if (report.type === 'fetched') settle(report.id)?.resolve(report.fetched);
		else if (report.type === 'blocks') settle(report.id)?.resolve(report.blocks);
		else if (report.type === 'ratings') settle(report.id)?.resolve(report.ratings);
		else if (report.type === 'failed')
			settle(report.id)?.reject(new ServiceError(report.reason, RETRY, report));
		else if (report.type === 'request') onRequest(report.facts);
		else void answerToken(token, send);
	}

	function listen(worker: Worker): Worker {
		worker.on('error', (cause) =>
			end(new ServiceError(`The thread that asks the service ended: ${cause}`, RETRY, { cause })),
		);
		worker.on('exit', () => end(new ServiceError('The thread that asks the service has ended.', RETRY)));
		worker.on('message', (reports: readonly Report[]) => reports.forEach(take));
		// Who waits for an answer keeps the process alive; a build that was given up waits for none. To listen refs it again.
		worker.unref();
		return worker;
	}

	return {
		fetch: (resource, pid, validators, wantsBlocks = false) =>
			ask<Fetched>((id) => ({ type: 'fetch', id, resource, pid, validators, wantsBlocks })),
		fetchRatings: (pids) => ask<Ratings>((id) => ({ type: 'fetch-ratings', id, pids })),
		beginBlocks: (task) => send({ type: 'begin-blocks', task }),
		writeBlocks: (pids) => ask<ReadonlyMap<string, Blocks>>((id) => ({ type: 'write-blocks', id, pids })),
		hurry: (resource, pid) => send({ type: 'hurry', resource, pid }),
		async close(reason) {
			end(reason ?? new ServiceError('The thread that asks the service has ended.', RETRY));
			await started?.terminate();
		},
	};
}

/** What a payload of the usual size needs, all requests together, in MiB. */
const USUAL_MEMORY = 512;
/** How often the largest answer may be in memory: as it came, as text, parsed and cut into parts. */
const COPIES = 4;
/** For what is gone at once, in MiB. A third more takes 25 MB more and no less time. */
const YOUNG_MEMORY = 24;
/** With less, V8 collects garbage twice as often; from 2,048 on so seldom that the thread takes 50 MB more. In MiB. */
const LEAST_LIMIT = 2_000;

/**
 * Without limits the thread collects its garbage late, and takes a hundred megabytes more than it uses. Even if every
 * answer were as large as allowed, it has enough.
 */
function memoryLimits({ maxResponseBytes = 0 }: ThreadData['client'], concurrency: number) {
	const needed = USUAL_MEMORY + (concurrency * COPIES * maxResponseBytes) / 1_048_576;
	return { maxYoungGenerationSizeMb: YOUNG_MEMORY, maxOldGenerationSizeMb: Math.max(LEAST_LIMIT, needed) };
}

const RETRY = 'Build again when the service answers.';

async function answerToken(token: Token, send: (command: Command) => void): Promise<void> {
	try {
		send({ type: 'token', token: (await token?.()) ?? '' });
	} catch {
		// What the merchant's function threw may hold a secret.
		send({ type: 'no-token', message: 'The function of the option "token" threw an error.' });
	}
}
