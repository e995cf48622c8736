import { Worker } from 'node:worker_threads';
import type { ReviewsClientOptions } from 'product-reviews-client';
import { ReviewServiceError, ServiceThreadEndedError } from '../errors.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { RequestFacts } from '../outcomes/tally.js';
import { count } from '../text/words.js';
import type { Command, Report, ThreadData } from './messages.js';
import type { PieceTask } from './pieces.js';
import { postTogether } from './post-together.js';
import type { Fetched, Ratings, ReviewService } from './review-service.js';

type Token = (() => string | Promise<string>) | undefined;

/** What a thread of its own does for a build. */
export interface ServiceThread extends ReviewService {
	/** From now on these pieces are written of each product that is fetched. */
	finish(task: PieceTask): void;
}

/** What a thread is started with, besides the options of the client. */
export interface ThreadContext {
	/** Called in this thread, whenever the other needs it. */
	readonly token: Token;
	readonly onRequest: (facts: RequestFacts) => void;
	/** Whether requests after those that two threads could not answer are asked of a new one: a server never gives up. */
	readonly goesOn?: boolean;
	readonly warn?: (message: string) => void;
}

/** A request that the thread has not answered. */
interface Waiting extends PromiseWithResolvers<unknown> {
	readonly command: Command;
}

/**
 * Asks the service from a thread of its own. Where that dies, another one is started and asked for what it did not answer;
 * where that dies as well, these requests fail.
 * @param options of the client, checked.
 */
export function startServiceThread(
	options: ThreadData['client'] & Pick<ReviewsClientOptions, 'baseUrl' | 'wsid'>,
	{ token, onRequest, goesOn = false, warn = () => {} }: ThreadContext,
): ServiceThread {
	const workerData: ThreadData = { client: options, hasToken: token !== undefined };
	// A build of a few pages whose reviews are stored asks for nothing: it needs no thread.
	let started: Worker | undefined;
	const worker = (): Worker => {
		if (started) return started;
		started = listen(
			new Worker(new URL('./service-thread.js', import.meta.url), {
				workerData,
				name: 'product-reviews',
				resourceLimits: memoryLimits(options),
			}),
		);
		if (finishing) started.postMessage([finishing]);
		return started;
	};
	const waiting = new Map<number, Waiting>();
	let finishing: Command | undefined;
	let lastId = 0;
	let deaths = 0;
	let ended: Error | undefined;
	const send = postTogether<Command>((commands) => ended || worker().postMessage(commands), queueMicrotask);
	const fail = (reason: Error) => {
		for (const { reject } of waiting.values()) reject(reason);
		waiting.clear();
	};
	const end = (reason: Error) => {
		ended ??= reason;
		fail(ended);
	};
	const settle = (id: number) => {
		const settled = waiting.get(id);
		waiting.delete(id);
		return settled;
	};

	const ask = <Answer>(toCommand: (id: number) => Command): Promise<Answer> => {
		if (ended) return Promise.reject(ended);
		const id = ++lastId;
		const asked = Promise.withResolvers<Answer>();
		const command = toCommand(id);
		waiting.set(id, { ...(asked as PromiseWithResolvers<unknown>), command });
		send(command);
		return asked.promise;
	};

	function take(report: Report): void {
		if (report.type === 'fetched') settle(report.id)?.resolve(report.fetched);
		else if (report.type === 'ratings') settle(report.id)?.resolve(report.ratings);
		else if (report.type === 'failed')
			settle(report.id)?.reject(new ReviewServiceError(report.reason, RETRY, report));
		else if (report.type === 'request') onRequest(report.facts);
		else void answerToken(token, send);
	}

	function listen(worker: Worker): Worker {
		let cause: unknown;
		worker.on('error', (error) => {
			cause = error;
		});
		worker.on('exit', (code) => {
			if (!ended) onDeath(cause ?? new Error(`it exited with code ${code}`));
		});
		worker.on('message', (reports: readonly Report[]) => reports.forEach(take));
		// Who waits for an answer keeps the process alive; a build that was given up waits for none. To listen refs it again.
		worker.unref();
		return worker;
	}

	function onDeath(cause: unknown): void {
		started = undefined;
		deaths += 1;
		const reason = describeFailure(cause);
		const requests = count(waiting.size, 'request');
		if (deaths > MOST_RESTARTS) {
			const error = new ServiceThreadEndedError(
				`The thread that asks the service ended again: ${reason}`,
				`${REPORT_IT} ${RETRY}`,
				{ cause },
			);
			if (goesOn) {
				deaths = 0;
				fail(error);
			} else end(error);
			warn(`The thread that asks the service ended again (${reason}), and ${requests} failed. ${REPORT_IT}`);
			return;
		}
		warn(`The thread that asks the service ended (${reason}). Another one is asked for ${requests} again.`);
		for (const { command } of waiting.values()) send(command);
	}

	return {
		fetch: (resource, pid, validators) =>
			ask<Fetched>((id) => ({ type: 'fetch', id, resource, pid, validators })),
		fetchRatings: (pids) => ask<Ratings>((id) => ({ type: 'fetch-ratings', id, pids })),
		finish(task) {
			finishing = { type: 'finish', task };
			// A build that requests nothing needs no thread.
			if (started) send(finishing);
		},
		prioritize: (resource, pid) => send({ type: 'prioritize', resource, pid }),
		async close(reason) {
			end(reason ?? new ReviewServiceError('The thread that asks the service has ended.', RETRY));
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
function memoryLimits({ maxResponseBytes = 0, concurrency = 1 }: ThreadData['client']) {
	const needed = USUAL_MEMORY + (concurrency * COPIES * maxResponseBytes) / 1_048_576;
	return { maxYoungGenerationSizeMb: YOUNG_MEMORY, maxOldGenerationSizeMb: Math.max(LEAST_LIMIT, needed) };
}

/** Threads that are started after one has died: what kills two would kill a third. */
const MOST_RESTARTS = 1;

const RETRY = 'Build again when the service answers.';
const REPORT_IT = 'That is a fault of astro-product-reviews, or too little memory: please report it.';

async function answerToken(token: Token, send: (command: Command) => void): Promise<void> {
	try {
		send({ type: 'token', token: (await token?.()) ?? '' });
	} catch {
		// What the merchant's function threw may hold a secret.
		send({ type: 'no-token', message: 'The function of the option "token" threw an error.' });
	}
}
