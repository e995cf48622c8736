import { Call, type Priority, type ReviewsRequest } from './call.js';
import {
	ReviewsError,
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from './errors.js';
import { exchange, type ReadAnswer } from './exchange.js';
import type { Settings } from './options.js';
import { CircuitBreaker, RequestQueue, withTimeLimit } from './pacing.js';
import type { TokenSource } from './secrets.js';

/**
 * Sends all requests of one client. From the outside in: a queue orders the requests that wait, and limits those in
 * flight. A circuit breaker stops them while the service is down. Each is tried until there is an answer, a final failure,
 * or no time left.
 */
export class Sender {
	readonly #settings: Settings;
	readonly #tokens: TokenSource;
	readonly #queue: RequestQueue;
	/** Product ids of low-priority requests may be made up, and their failures must not stop the others. */
	readonly #breakers: Readonly<Record<Priority, CircuitBreaker>>;
	/** On the monotonic clock, like all that follow. */
	#nextStart = Number.NEGATIVE_INFINITY;
	#pausedUntil = Number.NEGATIVE_INFINITY;
	/** How many requests may be in flight, when it was lowered, and answers since it changed. */
	#concurrency: number;
	#loweredAt = Number.NEGATIVE_INFINITY;
	#answers = 0;

	constructor(settings: Settings, tokens: TokenSource) {
		const { concurrency, monotonicNow } = settings;
		this.#settings = settings;
		this.#tokens = tokens;
		this.#queue = new RequestQueue(concurrency);
		this.#concurrency = concurrency;
		this.#breakers = {
			normal: new CircuitBreaker(concurrency, monotonicNow),
			low: new CircuitBreaker(concurrency, monotonicNow),
		};
	}

	prioritize: RequestQueue['prioritize'] = (operation, pid) => this.#queue.prioritize(operation, pid);

	/**
	 * Sends a request when its turn comes, as often as the rules allow.
	 *
	 * @returns the result of `read`; `undefined` for a 404 of the service itself; `'unchanged'` for a 304, which is an
	 * error if the request has no `known`.
	 * @throws one of the package's errors, or the reason of the caller's signal.
	 */
	async send<Answer>(
		given: ReviewsRequest,
		read: ReadAnswer<Answer>,
	): Promise<Answer | 'unchanged' | undefined> {
		// A signal of its own: the more listeners a signal has, the longer it takes to add one, and 100,000 may wait.
		const request = { ...given, signal: given.signal && AbortSignal.any([given.signal]) };
		// Callers who do not want retries do not want requests sent a second time either.
		const isRepeated = (error: unknown) =>
			Boolean(request.requeue) && this.#settings.retries > 0 && isOutage(error);
		return await this.#queue.run(request, () => this.#guard(request, read), isRepeated);
	}

	async #guard<Answer>(request: ReviewsRequest, read: ReadAnswer<Answer>) {
		const { priority = 'normal', signal } = request;
		const { origin, deadline } = this.#settings;
		const call = new Call(request, origin, this.#tokens);
		const breaker = this.#breakers[priority];
		const leave = await breaker.enter();
		try {
			this.#throwIfStopped(call);
			const answer = await withTimeLimit(
				signal,
				deadline,
				() => call.deadlineError(deadline),
				(limited) => this.#tryUntilDone(call, read, limited),
			);
			this.#resetBreakers();
			return answer;
		} catch (error) {
			// A request that its caller aborted, or that was not sent, says nothing about the service.
			const isTelling = !signal?.aborted && call.attempts > 0;
			if (isTelling && isOutage(error)) breaker.failed();
			else if (isTelling && isAnswer(error)) this.#resetBreakers();
			throw error;
		} finally {
			leave();
		}
	}

	#resetBreakers(): void {
		for (const breaker of Object.values(this.#breakers)) breaker.reset();
	}

	#throwIfStopped(call: Call): void {
		const { rest, reason, failures } = this.#breakers[call.request.priority ?? 'normal'];
		if (rest > 0) throw call.pausedError(reason, this.#settings.now() + rest, failures);
	}

	async #tryUntilDone<Answer>(call: Call, read: ReadAnswer<Answer>, signal: AbortSignal) {
		const { monotonicNow, deadline, retries, random } = this.#settings;
		const deadlineAt = monotonicNow() + deadline;
		let notBefore = Number.NEGATIVE_INFINITY;
		let isRenewed = false;
		for (let retry = 0; ; ) {
			const token = call.request.authorize ? await this.#tokens.current() : undefined;
			await this.#waitForStart(call, notBefore, signal);
			try {
				return await this.#try(call, token, read, signal);
			} catch (error) {
				if (signal.aborted || !(error instanceof ReviewsError)) throw error;
				call.last = error;
			}
			this.#throwIfStopped(call);
			if (call.status === UNAUTHORIZED && token !== undefined && !isRenewed) {
				isRenewed = true;
				if (await this.#tokens.renew(token)) continue;
			}
			if (retry >= retries || !isTemporary(call.last)) throw call.last;
			const wait = Math.max(retryAfterOf(call.last) ?? 0, backoffDelay(retry, call.status, random));
			notBefore = monotonicNow() + wait;
			if (notBefore >= deadlineAt) throw call.deadlineError(deadline);
			retry += 1;
		}
	}

	/**
	 * Waits until a try may start. All tries wait while the service asks for a pause: if it is too busy for one product,
	 * it is too busy for the next.
	 */
	async #waitForStart(call: Call, notBefore: number, signal: AbortSignal) {
		const { monotonicNow, requestsPerSecond, sleep } = this.#settings;
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

	async #try<Answer>(call: Call, token: string | undefined, read: ReadAnswer<Answer>, signal: AbortSignal) {
		const { monotonicNow, timeout } = this.#settings;
		const startedAt = monotonicNow();
		call.attempts += 1;
		call.status = undefined;
		call.bytes = 0;
		try {
			const answer = await withTimeLimit(
				signal,
				timeout,
				() => call.timeoutError(timeout),
				(limited) => exchange(this.#settings, call, token, read, limited),
			);
			this.#raiseConcurrency();
			this.#report(call, monotonicNow() - startedAt);
			return answer;
		} catch (error) {
			const retryAfter = retryAfterOf(error);
			if (retryAfter !== undefined) this.#pause(retryAfter);
			if (retryAfter !== undefined || call.status === TOO_MANY_REQUESTS) this.#lowerConcurrency(startedAt);
			this.#report(call, monotonicNow() - startedAt, error);
			throw error;
		}
	}

	/** Halves the number, unless the refused request started before that happened: then it says nothing about it. */
	#lowerConcurrency(startedAt: number): void {
		if (startedAt <= this.#loweredAt) return;
		this.#loweredAt = this.#settings.monotonicNow();
		this.#setConcurrency(Math.max(1, Math.floor(this.#concurrency / 2)));
	}

	/** As many answers as there may be requests in flight raise the number by one. */
	#raiseConcurrency(): void {
		this.#answers += 1;
		const isMax = this.#concurrency === this.#settings.concurrency;
		if (!isMax && this.#answers >= this.#concurrency) this.#setConcurrency(this.#concurrency + 1);
	}

	#setConcurrency(concurrency: number): void {
		this.#concurrency = concurrency;
		this.#answers = 0;
		this.#queue.setConcurrency(concurrency);
	}

	#pause(milliseconds: number): void {
		const { monotonicNow, maxRetryAfter } = this.#settings;
		this.#pausedUntil = Math.max(this.#pausedUntil, monotonicNow() + milliseconds);
		if (milliseconds <= maxRetryAfter) return;
		for (const breaker of Object.values(this.#breakers)) breaker.stop('retry-after', milliseconds);
	}

	#report(call: Call, durationMs: number, error?: unknown): void {
		const { request, method, url, attempts, status, bytes } = call;
		this.#settings.onRequest?.({
			operation: request.operation,
			method,
			url,
			pids: request.pids,
			attempt: attempts,
			...(status === undefined ? {} : { status }),
			durationMs,
			bytes,
			...(error instanceof Error ? { error } : {}),
		});
	}
}

const UNAUTHORIZED = 401;

const TOO_MANY_REQUESTS = 429;

/** "Request timeout", "too early", "too many requests". */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([408, 425, TOO_MANY_REQUESTS]);

/** Whether a request may succeed if it is sent again. Anything else would fail in the same way. */
function isTemporary(error: unknown): boolean {
	if (error instanceof ReviewsNetworkError || error instanceof ReviewsTimeoutError) return true;
	if (!(error instanceof ReviewsHttpError)) return false;
	// Statuses above 599 do not exist. Whatever answers 999 will do so again.
	return TEMPORARY_STATUSES.has(error.status) || (error.status >= 500 && error.status <= 599);
}

/** Whether the service is down or too busy, or something else answers for it, rather than a problem with one product. */
function isOutage(error: unknown): boolean {
	if (error instanceof ReviewsPausedError) return error.reason === 'retry-after';
	if (error instanceof ReviewsResponseError) return error.reason === 'foreign' || error.reason === 'redirect';
	return isTemporary(error);
}

/** Whether the service answered, even if not successfully. */
function isAnswer(error: unknown): boolean {
	return error instanceof ReviewsHttpError || error instanceof ReviewsResponseError;
}

function retryAfterOf(error: unknown): number | undefined {
	return error instanceof ReviewsHttpError && isTemporary(error) ? error.retryAfter : undefined;
}

/**
 * Full jitter over an exponential window, so that clients that failed together do not all retry together. The constants and
 * the formula are those of the AWS SDKs.
 */
function backoffDelay(retry: number, status: number | undefined, random: () => number): number {
	const base = status === TOO_MANY_REQUESTS ? 1_000 : 200;
	return random() * Math.min(LONGEST_WINDOW_IN_MS, base * 2 ** retry);
}

const LONGEST_WINDOW_IN_MS = 20_000;
