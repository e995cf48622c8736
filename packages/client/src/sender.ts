import {
	ReviewsError,
	type ReviewsErrorDetails,
	ReviewsHttpError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from './errors.js';
import type { ThrottleSettings } from './options.js';
import { printable } from './secrets.js';
import type { Priority, ThrottledRequest } from './throttle.js';
import { CircuitBreaker, RequestQueue, wait, withTimeLimit } from './throttle.js';

export { resolveThrottle, type ThrottleOptions } from './options.js';
export { redactCause } from './secrets.js';
export { type Priority, parseRetryAfter, type RequestOptions, type ThrottledRequest } from './throttle.js';

/** A request under way. Its errors say which request it is, and how often it was sent. */
export abstract class ThrottledCall<Answer> {
	readonly request: ThrottledRequest;
	/** Beginning of messages, such as `GET /api/llmRvwHTML`. */
	abstract readonly title: string;
	attempts = 0;
	/** Of the last answer. */
	status: number | undefined;
	/** Bytes of the last answer that were read. */
	bytes = 0;
	/** Error of the last try that failed; `undefined` if none did. */
	last: ReviewsError | undefined;

	constructor(request: ThrottledRequest) {
		this.request = request;
	}

	/** Sends the request once. @throws ReviewsError, or the reason of the signal. */
	abstract send(signal: AbortSignal): Promise<Answer>;

	/** Called when a try has ended. @param failure `undefined` if there was an answer. */
	abstract tried(durationMs: number, failure: unknown): void;

	/** Gets ready for a try, before its turn comes. */
	async authorize(): Promise<void> {}

	/** Called once if the service answers 401. @returns `true` to try again at once. */
	async renew(): Promise<boolean> {
		return false;
	}

	show(text: string, maxLength: number): string {
		return printable(text, maxLength);
	}

	/** Request and products, such as `[GET /api/llmRvwHTML] product "p-1"`. */
	get name(): string {
		const { pids } = this.request;
		const names = pids.slice(0, 3).map((pid) => `"${this.show(pid, 80)}"`);
		if (pids.length > names.length) names.push('...');
		// A provider may be asked for all at once.
		if (pids.length === 0) return `[${this.title}] all products`;
		const products = pids.length === 1 ? `product ${names}` : `${pids.length} products (${names.join(', ')})`;
		return `[${this.title}] ${products}`;
	}

	get tries(): string {
		return this.attempts === 1 ? '1 try' : `${this.attempts} tries`;
	}

	/** @param problem a clause, such as "the body is not JSON". @param hint a sentence that says what to do. */
	failed(problem: string, hint = ''): string {
		return `${this.name}: ${problem} after ${this.tries}.${hint && ` ${hint}`}`;
	}

	details(cause?: unknown): ReviewsErrorDetails {
		const { request, status, attempts } = this;
		return { pids: [...request.pids], status, attempts, cause };
	}
}

/**
 * Sends all requests of one client. From the outside in: a queue orders the requests that wait, and limits those in
 * flight. A circuit breaker stops them while the service is down. Each is tried until there is an answer, a final failure,
 * or no time left.
 */
export class Sender {
	readonly #settings: ThrottleSettings;
	readonly #queue: RequestQueue;
	/** Product IDs of low-priority requests may be made up, and their failures must not stop the others. */
	readonly #breakers: Readonly<Record<Priority, CircuitBreaker>>;
	/** Times when the next try may start, on the monotonic clock: of its own accord, and after a pause of the service. */
	#nextStart = Number.NEGATIVE_INFINITY;
	#pausedUntil = Number.NEGATIVE_INFINITY;

	constructor(settings: ThrottleSettings) {
		const { concurrency, monotonicNow } = settings;
		this.#settings = settings;
		this.#queue = new RequestQueue(concurrency, monotonicNow);
		this.#breakers = {
			normal: new CircuitBreaker(concurrency, monotonicNow),
			low: new CircuitBreaker(concurrency, monotonicNow),
		};
	}

	prioritize: RequestQueue['prioritize'] = (operation, pid) => this.#queue.prioritize(operation, pid);

	/**
	 * Sends a request when its turn comes, as often as the rules allow.
	 *
	 * @param begin begins the request. It is called once more if the request is requeued.
	 * @throws one of the package's errors, or the reason of the caller's signal.
	 */
	async send<Answer, Request extends ThrottledRequest>(
		given: Request,
		begin: (request: Request) => ThrottledCall<Answer>,
	): Promise<Answer> {
		// A signal of its own: the more listeners a signal has, the longer it takes to add one, and 100,000 may wait.
		const request = { ...given, signal: given.signal && AbortSignal.any([given.signal]) };
		// Callers who do not want retries do not want requests sent a second time either.
		const isRepeated = (error: unknown) =>
			Boolean(request.requeue) && this.#settings.retries > 0 && isOutage(error);
		return await this.#queue.run(request, () => this.#guard(begin(request)), isRepeated);
	}

	async #guard<Answer>(call: ThrottledCall<Answer>): Promise<Answer> {
		const { priority = 'normal', signal } = call.request;
		const breaker = this.#breakers[priority];
		const leave = await breaker.enter();
		try {
			this.#throwIfStopped(call);
			const answer = await withTimeLimit(
				signal,
				this.#settings.deadline,
				() => this.#deadlineError(call),
				(limited) => this.#tryUntilDone(call, limited),
			);
			this.#resetBreakers();
			return answer;
		} catch (error) {
			// A request that its caller aborted, or that was not sent, says nothing about the service.
			const isTelling = !signal?.aborted && call.attempts > 0;
			const isAnswer = error instanceof ReviewsHttpError || error instanceof ReviewsResponseError;
			if (isTelling && isOutage(error)) breaker.failed();
			else if (isTelling && isAnswer) this.#resetBreakers();
			throw error;
		} finally {
			leave();
		}
	}

	#resetBreakers(): void {
		for (const breaker of Object.values(this.#breakers)) breaker.reset();
	}

	#throwIfStopped(call: ThrottledCall<unknown>): void {
		const { rest, reason, failures } = this.#breakers[call.request.priority ?? 'normal'];
		if (rest === 0) return;
		const until = this.#settings.now() + rest;
		const time = new Date(until).toISOString();
		const why =
			reason === 'failures'
				? `not sent, because the service failed ${failures} times in a row and is left alone until ${time}`
				: `not sent${call.attempts > 0 ? ' again' : ''}, because the service requested a pause until ` +
					`${time}, longer than the option maxRetryAfter allows`;
		const details = { ...call.details(call.last), until, reason };
		throw new ReviewsPausedError(`${call.name}: ${why}. Try again after that.`, details);
	}

	#deadlineError(call: ThrottledCall<unknown>): ReviewsTimeoutError {
		const limit = this.#settings.deadline;
		const message =
			`${call.name}: the deadline of ${limit} ms is used up after ${call.tries}. ` +
			'Raise the option deadline if the service is known to be slow.';
		return new ReviewsTimeoutError(message, { ...call.details(call.last), scope: 'deadline', limit });
	}

	async #tryUntilDone<Answer>(call: ThrottledCall<Answer>, signal: AbortSignal): Promise<Answer> {
		const { monotonicNow, deadline, retries, random } = this.#settings;
		const deadlineAt = monotonicNow() + deadline;
		let notBefore = Number.NEGATIVE_INFINITY;
		let isRenewed = false;
		for (let retry = 0; ; ) {
			await call.authorize();
			await this.#waitForStart(call, notBefore, signal);
			try {
				return await this.#try(call, signal);
			} catch (error) {
				if (signal.aborted || !(error instanceof ReviewsError)) throw error;
				call.last = error;
			}
			this.#throwIfStopped(call);
			if (call.status === 401 && !isRenewed) {
				isRenewed = true;
				if (await call.renew()) continue;
			}
			if (retry >= retries || !call.last.isTemporary) throw call.last;
			// Full jitter over an exponential window, so that clients that failed together do not all retry together. The
			// constants and the formula are those of the AWS SDKs.
			const base = call.status === TOO_MANY_REQUESTS ? 1_000 : 200;
			const backoff = random() * Math.min(20_000, base * 2 ** retry);
			notBefore = monotonicNow() + Math.max(retryAfterOf(call.last) ?? 0, backoff);
			if (notBefore >= deadlineAt) throw this.#deadlineError(call);
			retry += 1;
		}
	}

	/**
	 * Waits until a try may start. All tries wait while the service asks for a pause: if it is too busy for one product,
	 * it is too busy for the next.
	 */
	async #waitForStart(call: ThrottledCall<unknown>, notBefore: number, signal: AbortSignal) {
		const { monotonicNow, requestsPerSecond, sleep = wait } = this.#settings;
		const interval = 1_000 / requestsPerSecond;
		for (;;) {
			signal.throwIfAborted();
			this.#throwIfStopped(call);
			const time = monotonicNow();
			// If the only available clock was set back by a day, the next start must not be a day away.
			const spaced = Math.min(this.#nextStart, time + interval);
			const start = Math.max(spaced, this.#pausedUntil, notBefore);
			if (start <= time) {
				this.#nextStart = time + interval;
				return;
			}
			await sleep(start - time, signal);
		}
	}

	async #try<Answer>(call: ThrottledCall<Answer>, signal: AbortSignal): Promise<Answer> {
		const { monotonicNow, timeout } = this.#settings;
		const startedAt = monotonicNow();
		call.attempts += 1;
		call.status = undefined;
		call.bytes = 0;
		const timeoutError = () => {
			const hint = 'Raise the option timeout if the service is known to be slow.';
			const message = call.failed(`no complete answer within ${timeout} ms`, hint);
			return new ReviewsTimeoutError(message, { ...call.details(), scope: 'try', limit: timeout });
		};
		let failure: unknown;
		try {
			const answer = await withTimeLimit(signal, timeout, timeoutError, (limited) => call.send(limited));
			this.#queue.raiseConcurrency();
			return answer;
		} catch (error) {
			failure = error;
			const retryAfter = retryAfterOf(error);
			if (retryAfter !== undefined) this.#pause(retryAfter);
			if (retryAfter !== undefined || call.status === TOO_MANY_REQUESTS) {
				this.#queue.lowerConcurrency(startedAt);
			}
			throw error;
		} finally {
			call.tried(monotonicNow() - startedAt, failure);
		}
	}

	#pause(milliseconds: number): void {
		const { monotonicNow, maxRetryAfter } = this.#settings;
		this.#pausedUntil = Math.max(this.#pausedUntil, monotonicNow() + milliseconds);
		if (milliseconds <= maxRetryAfter) return;
		for (const breaker of Object.values(this.#breakers)) breaker.stop('retry-after', milliseconds);
	}
}

const TOO_MANY_REQUESTS = 429;

/** Tells a service that is down or too busy, or for which something else answers, from a problem with one product. */
function isOutage(error: unknown): boolean {
	if (error instanceof ReviewsPausedError) return error.reason === 'retry-after';
	if (error instanceof ReviewsResponseError) return error.reason === 'foreign' || error.reason === 'redirect';
	return error instanceof ReviewsError && error.isTemporary;
}

function retryAfterOf(error: unknown): number | undefined {
	return error instanceof ReviewsHttpError && error.isTemporary ? error.retryAfter : undefined;
}
