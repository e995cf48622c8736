import { Worker } from 'node:worker_threads';
import { ReviewsError } from 'product-reviews-client/errors';
import { describeFailure } from '../base/failures.js';
import { count } from '../base/words.js';
import { ENVIRONMENT } from '../constants.js';
import { ProductReviewsConfigurationError, ReviewServiceError } from '../errors.js';
import { type Connection, checkAddresses, throttleOf } from '../options/connection.js';
import type { RequestOptions } from '../options/schema.js';
import type { Resource } from '../records/parts.js';
import type { Ratings } from '../records/rating.js';
import type { createHostedFetcher } from './hosted-fetcher.js';
import type { Fetched, RequestFacts, ReviewFetcher } from './review-fetcher.js';
import type { Command, Question, Report, ThreadData } from './service-thread.js';

export interface FetcherContext {
	readonly onRequest?: (facts: RequestFacts) => void;
	readonly warn?: (message: string) => void;
	/** Longest pause requested by the service that is honored, in milliseconds. @default a year */
	readonly maxPause?: number;
	/** Fetches from the hosted service in this thread, where little is to be fetched. @default a thread does */
	readonly fetchHere?: typeof createHostedFetcher | undefined;
	/** Returns what changes with a product, for providers that give all parts in one answer. */
	readonly revisionOf?: (pid: string) => number;
}

export function startReviewService(
	connection: Connection,
	options: RequestOptions,
	{ maxPause, fetchHere, ...context }: FetcherContext = {},
): ReviewFetcher {
	const missingToken = (problem: string, otherwise = '.') =>
		new ProductReviewsConfigurationError(
			'PR_MISSING_TOKEN',
			problem,
			`Set the option "token" of productReviews(), or ${ENVIRONMENT.token} in the environment or in .env${otherwise}`,
		);
	if (options.sendTokenForReviews && !connection.token)
		throw missingToken('The option "sendTokenForReviews" is on, but there is no token to send.');
	if (options.revalidate === 'ratings' && !connection.token)
		throw missingToken(
			'The option "revalidate" is "ratings", but there is no token to request ratings with.',
			'; or leave "revalidate" out.',
		);
	checkAddresses(connection, options);
	const { baseUrl, urlOrigins, wsid, token } = connection;
	const client = { ...throttleOf(options), baseUrl, urlOrigins, wsid, maxPause };
	return fetchHere?.(client, { ...context, token }) ?? new ServiceThread(client, { ...context, token });
}

type ThreadContext = Pick<FetcherContext, 'onRequest' | 'warn'> & Pick<Connection, 'token'>;

/** A question that the thread has not answered yet. */
interface Waiting {
	readonly question: Question;
	readonly resolve: (answer: never) => void;
	readonly reject: (error: Error) => void;
	isRepeated: boolean;
}

/** Time for which an idle thread is kept, in milliseconds: it takes 30 MB, and starting another a tenth of a second. */
const IDLE = 1_000;

/**
 * Requests products in a separate thread, which starts with the first request, and ends when there are no more. If it dies,
 * a new one takes over what is not answered; what dies with two of them fails.
 */
export class ServiceThread implements ReviewFetcher {
	readonly #options: ThreadData['client'];
	readonly #context: ThreadContext;
	readonly #waiting = new Map<number, Waiting>();
	#lastId = 0;
	#worker: Worker | undefined;
	/** `true` if this thread knows how often the service may be asked, and must not be forgotten. */
	#isThrottled = false;
	#idle: NodeJS.Timeout | undefined;
	#token: string | undefined;
	#ended: Error | undefined;

	constructor(options: ThreadData['client'], context: ThreadContext) {
		this.#options = options;
		this.#context = context;
	}

	fetch(resource: Resource, pid: string, validators?: string): Promise<Fetched> {
		return this.#ask({ type: 'fetch', resource, pid, validators });
	}

	fetchRatings(pids: readonly string[]): Promise<Ratings> {
		return this.#ask({ type: 'fetch-ratings', pids });
	}

	prioritize(resource: Resource, pid: string): void {
		this.#worker?.postMessage({ type: 'prioritize', resource, pid } satisfies Command);
	}

	async close(
		reason: Error = new ReviewServiceError('The thread that sends the requests has ended.', RETRY),
	): Promise<void> {
		this.#ended ??= reason;
		for (const { reject } of this.#waiting.values()) reject(this.#ended);
		this.#waiting.clear();
		await this.#end();
	}

	async #end(): Promise<void> {
		clearTimeout(this.#idle);
		const worker = this.#worker;
		this.#worker = undefined;
		await worker?.terminate();
	}

	#ask<Answer>(question: Question): Promise<Answer> {
		if (this.#ended) return Promise.reject(this.#ended);
		const id = ++this.#lastId;
		clearTimeout(this.#idle);
		return new Promise<Answer>((resolve, reject) => {
			this.#waiting.set(id, { question, resolve, reject, isRepeated: false });
			this.#post({ type: 'ask', id, question });
		});
	}

	#post(command: Command): void {
		this.#worker ??= this.#start();
		this.#worker.postMessage(command);
	}

	#start(): Worker {
		this.#isThrottled = this.#options.requestsPerSecond !== undefined;
		const worker = new Worker(new URL('./service-thread.js', import.meta.url), {
			workerData: { client: this.#options, hasToken: this.#context.token !== undefined } satisfies ThreadData,
			name: 'product-reviews',
			resourceLimits: memoryLimits(this.#options),
		});
		let cause: unknown;
		worker.on('error', (error) => {
			cause = error;
		});
		worker.on('exit', (code) => {
			if (this.#worker === worker) this.#replace(cause ?? new Error(`it exited with code ${code}`));
		});
		worker.on('message', (report: Report) => this.#take(report));
		// Callers that wait for an answer keep the process alive; an abandoned build must not. Adding listeners refs
		// the worker, so this comes last.
		worker.unref();
		return worker;
	}

	#take(report: Report): void {
		if (report.type === 'request') {
			// The client sends fewer requests after a failure, even if the next attempt succeeds.
			this.#isThrottled ||= report.facts.code !== undefined;
			this.#context.onRequest?.(report.facts);
		} else if (report.type === 'token-wanted') void this.#sendToken(report.refused);
		else {
			const asked = this.#waiting.get(report.id);
			this.#waiting.delete(report.id);
			if (report.type === 'answered') asked?.resolve(report.answer as never);
			else asked?.reject(new ReviewServiceError(report.failure.reason, RETRY, report.failure));
			if (this.#waiting.size === 0 && !this.#isThrottled)
				this.#idle = setTimeout(() => this.#end(), IDLE).unref();
		}
	}

	/** Each thread wants it, and the merchant's own function is asked once: until the service refuses what it gave. */
	async #sendToken(refused: string | undefined): Promise<void> {
		const send = (command: Command) => this.#worker?.postMessage(command);
		try {
			if (!this.#token || refused !== undefined) this.#token = (await this.#context.token?.(refused)) ?? '';
			send({ type: 'token', token: this.#token });
		} catch (error) {
			// The error of a merchant's own function may contain a secret.
			send({ type: 'no-token', message: error instanceof ReviewsError ? error.message : undefined });
		}
	}

	#replace(cause: unknown): void {
		this.#worker = undefined;
		if (this.#ended) return;
		const reason = describeFailure(cause);
		const repeated = [...this.#waiting].filter(([, asked]) => !asked.isRepeated);
		const failed = [...this.#waiting].filter(([, asked]) => asked.isRepeated);
		const outcome =
			failed.length === 0
				? `ended (${reason}). ${count(repeated.length, 'request')} will be repeated on a new one.`
				: `ended again (${reason}), and ${count(failed.length, 'request')} failed. ${REPORT_IT}`;
		this.#context.warn?.(`The thread that sends the requests ${outcome} [PR_THREAD_ENDED]`);
		for (const [id, { reject }] of failed) {
			this.#waiting.delete(id);
			const problem = `The thread that sends the requests ended again: ${reason}`;
			reject(new ReviewServiceError(problem, `${REPORT_IT} ${RETRY}`, { cause, code: 'PR_THREAD_ENDED' }));
		}
		for (const [id, asked] of repeated) {
			asked.isRepeated = true;
			this.#post({ type: 'ask', id, question: asked.question });
		}
	}
}

const RETRY = 'Build again when the service responds.';
const REPORT_IT = 'This is a bug in astro-product-reviews, or it ran out of memory. Please report it.';

/**
 * Without limits, the thread collects garbage late and takes a hundred megabytes more than it needs. The limits suffice
 * even if every answer is as large as allowed.
 */
function memoryLimits({ maxResponseBytes = 0, concurrency = 1 }: ThreadData['client']) {
	// In MiB: all requests together with payloads of the usual size, and the largest answers as received, as text, parsed, and
	// cut into parts.
	const needed = 512 + (concurrency * 4 * maxResponseBytes) / 1_048_576;
	return {
		// For short-lived objects. A third more takes 25 MB more and saves no time.
		maxYoungGenerationSizeMb: 24,
		// With less, V8 collects garbage twice as often; with more, so rarely that the thread takes 50 MB more.
		maxOldGenerationSizeMb: Math.max(2_000, needed),
	};
}
