import { Worker } from 'node:worker_threads';
import type { ReviewsClientOptions } from 'product-reviews-client';
import { ReviewServiceError } from '../errors.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { RequestFacts } from '../outcomes/outcomes.js';
import { count } from '../text/words.js';
import type { Command, Report, ThreadData } from './messages.js';
import { postTogether } from './post-together.js';
import type { Fetched, PieceTask, Ratings, ReviewService } from './review-service.js';

type Token = (() => string | Promise<string>) | undefined;

/** A review service in its own thread. */
export interface ServiceThread extends ReviewService {
	/** Sets the pieces to write for each product fetched from now on. */
	finish(task: PieceTask): void;
}

/** What a thread is started with, in addition to the client's options. */
export interface ThreadContext {
	/** Called in this thread whenever the other needs a token. */
	readonly token: Token;
	readonly onRequest: (facts: RequestFacts) => void;
	/** Whether to start a new thread for later requests after two threads have died, because a server never gives up. */
	readonly goesOn?: boolean;
	readonly warn?: (message: string) => void;
}

/**
 * Requests products in a separate thread. If it dies, its unanswered requests are repeated in a new one. If that dies as
 * well, they fail.
 * @param options of the client, already checked.
 */
export function startServiceThread(
	options: ThreadData['client'] & Pick<ReviewsClientOptions, 'baseUrl' | 'wsid'>,
	{ token, onRequest, goesOn = false, warn = () => {} }: ThreadContext,
): ServiceThread {
	const waiting = createWaitingRequests();
	let finishing: Command | undefined;
	let deaths = 0;
	let ended: Error | undefined;
	const thread = createRestartingThread(options, token !== undefined, {
		first: () => finishing,
		onReport: (report) => take(report, waiting, { onRequest, onTokenWanted: () => answerToken(token, send) }),
		onDeath,
	});
	const send = postTogether<Command>((commands) => ended || thread.post(commands), queueMicrotask);
	const end = (reason: Error) => {
		ended ??= reason;
		waiting.fail(ended);
	};
	const ask = <Answer>(toCommand: (id: number) => Command): Promise<Answer> => {
		if (ended) return Promise.reject(ended);
		const { command, answer } = waiting.add<Answer>(toCommand);
		send(command);
		return answer;
	};

	function onDeath(cause: unknown): void {
		if (ended) return;
		deaths += 1;
		const reason = describeFailure(cause);
		const requests = count(waiting.size, 'request');
		if (deaths <= MOST_RESTARTS) {
			warn(describeRestart(reason, requests));
			for (const command of waiting.commands()) send(command);
			return;
		}
		const error = endedAgain(reason, cause);
		if (goesOn) {
			deaths = 0;
			waiting.fail(error);
		} else end(error);
		warn(describeEnd(reason, requests));
	}

	return {
		fetch: (resource, pid, validators) =>
			ask<Fetched>((id) => ({ type: 'fetch', id, resource, pid, validators })),
		fetchRatings: (pids) => ask<Ratings>((id) => ({ type: 'fetch-ratings', id, pids })),
		finish(task) {
			finishing = { type: 'finish', task };
			// A build that requests nothing needs no thread.
			if (thread.isStarted()) send(finishing);
		},
		prioritize: (resource, pid) => send({ type: 'prioritize', resource, pid }),
		async close(reason) {
			end(reason ?? new ReviewServiceError('The thread that asks the service has ended.', RETRY));
			await thread.terminate();
		},
	};
}

/** Handles a report of the thread. */
function take(
	report: Report,
	waiting: Pick<WaitingRequests, 'take'>,
	{ onRequest, onTokenWanted }: Pick<ThreadContext, 'onRequest'> & { onTokenWanted: () => void },
): void {
	if (report.type === 'fetched') waiting.take(report.id)?.resolve(report.fetched);
	else if (report.type === 'ratings') waiting.take(report.id)?.resolve(report.ratings);
	else if (report.type === 'failed')
		waiting.take(report.id)?.reject(new ReviewServiceError(report.reason, RETRY, report));
	else if (report.type === 'request') onRequest(report.facts);
	else onTokenWanted();
}

function endedAgain(reason: string, cause: unknown): ReviewServiceError {
	return new ReviewServiceError(
		`The thread that asks the service ended again: ${reason}`,
		`${REPORT_IT} ${RETRY}`,
		{ cause, code: 'PR_THREAD_ENDED' },
	);
}

function describeRestart(reason: string, requests: string): string {
	return `The thread that asks the service ended (${reason}). ${requests} will be repeated on a new one. [PR_THREAD_ENDED]`;
}

function describeEnd(reason: string, requests: string): string {
	return `The thread that asks the service ended again (${reason}), and ${requests} failed. ${REPORT_IT} [PR_THREAD_ENDED]`;
}

/** Maximum number of restarts. Whatever kills two threads would kill a third. */
const MOST_RESTARTS = 1;

const RETRY = 'Build again when the service answers.';
const REPORT_IT = 'This is a bug in astro-product-reviews, or it ran out of memory. Please report it.';

async function answerToken(token: Token, send: (command: Command) => void): Promise<void> {
	try {
		send({ type: 'token', token: (await token?.()) ?? '' });
	} catch {
		// The error of the merchant's function may contain a secret.
		send({ type: 'no-token', message: 'The function of the option "token" threw an error.' });
	}
}

/** Requests that the thread has not answered yet. */
interface WaitingRequests {
	readonly size: number;
	/** Commands of all of them, in order. */
	commands(): readonly Command[];
	/** Adds a request. @param toCommand called with its id. */
	add<Answer>(toCommand: (id: number) => Command): {
		readonly command: Command;
		readonly answer: Promise<Answer>;
	};
	/** Removes an answered request; `undefined` if it is no longer there. */
	take(id: number): Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> | undefined;
	/** Fails all of them. */
	fail(reason: Error): void;
}

interface Waiting extends PromiseWithResolvers<unknown> {
	readonly command: Command;
}

function createWaitingRequests(): WaitingRequests {
	const waiting = new Map<number, Waiting>();
	let lastId = 0;
	return {
		get size() {
			return waiting.size;
		},
		commands: () => [...waiting.values()].map(({ command }) => command),
		add<Answer>(toCommand: (id: number) => Command) {
			const id = ++lastId;
			const command = toCommand(id);
			const asked = Promise.withResolvers<Answer>();
			waiting.set(id, { ...(asked as PromiseWithResolvers<unknown>), command });
			return { command, answer: asked.promise };
		},
		take(id) {
			const taken = waiting.get(id);
			waiting.delete(id);
			return taken;
		},
		fail(reason) {
			for (const { reject } of waiting.values()) reject(reason);
			waiting.clear();
		},
	};
}

/** A thread that is started when there is something to do, and restarted after it has died. */
interface RestartingThread {
	isStarted(): boolean;
	post(commands: readonly Command[]): void;
	terminate(): Promise<void>;
}

interface ThreadEvents {
	/** Returns the first command for a new thread. */
	readonly first: () => Command | undefined;
	readonly onReport: (report: Report) => void;
	/** Called when the thread ended by itself. */
	readonly onDeath: (cause: unknown) => void;
}

function createRestartingThread(
	client: ThreadData['client'],
	hasToken: boolean,
	{ first, onReport, onDeath }: ThreadEvents,
): RestartingThread {
	let started: Worker | undefined;

	const start = (): Worker => {
		const workerData: ThreadData = { client, hasToken };
		const worker = new Worker(new URL('./service-thread.js', import.meta.url), {
			workerData,
			name: 'product-reviews',
			resourceLimits: memoryLimits(client),
		});
		let cause: unknown;
		worker.on('error', (error) => {
			cause = error;
		});
		worker.on('exit', (code) => {
			started = undefined;
			onDeath(cause ?? new Error(`it exited with code ${code}`));
		});
		worker.on('message', (reports: readonly Report[]) => reports.forEach(onReport));
		// Callers that wait for an answer keep the process alive; an abandoned build must not. Adding listeners refs
		// the worker, so this comes last.
		worker.unref();
		const command = first();
		if (command) worker.postMessage([command]);
		return worker;
	};
	return {
		isStarted: () => started !== undefined,
		post(commands) {
			started ??= start();
			started.postMessage(commands);
		},
		async terminate() {
			await started?.terminate();
		},
	};
}

/** Memory for all requests together with payloads of the usual size, in MiB. */
const USUAL_MEMORY = 512;

/** Copies of the largest answer that may be in memory: as received, as text, parsed, and cut into parts. */
const COPIES = 4;

/** Memory for short-lived objects, in MiB. A third more takes 25 MB more and saves no time. */
const YOUNG_MEMORY = 24;

/**
 * In MiB. With less, V8 collects garbage twice as often. From 2,048 on, it does so rarely that the thread takes 50 MB
 * more.
 */
const LEAST_LIMIT = 2_000;

/**
 * Without limits, the thread collects garbage late and takes a hundred megabytes more than it needs. The limits suffice
 * even if every answer is as large as allowed.
 */
function memoryLimits({ maxResponseBytes = 0, concurrency = 1 }: ThreadData['client']) {
	const needed = USUAL_MEMORY + (concurrency * COPIES * maxResponseBytes) / 1_048_576;
	return { maxYoungGenerationSizeMb: YOUNG_MEMORY, maxOldGenerationSizeMb: Math.max(LEAST_LIMIT, needed) };
}
