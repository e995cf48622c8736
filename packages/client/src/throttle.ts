import pLimit from 'p-limit';
import Fifo from 'yocto-queue';
import type { PauseReason } from './errors.js';

export type Priority = 'normal' | 'low';

export interface RequestOptions {
	/** Ends the operation, even while it waits for its turn. It then throws the signal's reason. */
	signal?: AbortSignal | undefined;
	/**
	 * `'low'` for unknown products, such as ids from URLs that anyone may have made up. Such requests are sent when no
	 * others wait, and their failures never stop others from being sent.
	 * @default 'normal'
	 */
	priority?: Priority | undefined;
	/**
	 * `true` to send a request whose tries have all failed once more, after all that wait. For programs that request
	 * many products and can wait, because among many, one is likely to fail several times in a row. It has no effect if
	 * the client's `retries` is 0. `deadline` applies to each turn.
	 * @default false
	 */
	requeue?: boolean | undefined;
}

/** Operation to request, and its products. */
export interface ThrottledRequest extends RequestOptions {
	readonly operation: string;
	/** As the caller gave them. */
	readonly pids: readonly string[];
}

interface Job {
	readonly request: ThrottledRequest;
	/** Never rejects. */
	start: () => Promise<void>;
	isUrgent: boolean;
	isTaken: boolean;
}

/** Orders the requests that wait, and limits how many are in flight: fewer while the service is too busy. */
export class RequestQueue {
	readonly #limit;
	readonly #maxConcurrency: number;
	readonly #now: () => number;
	/** Since the concurrency changed. */
	#answers = 0;
	#loweredAt = Number.NEGATIVE_INFINITY;
	/** The last one is next. */
	readonly #urgent: Job[] = [];
	readonly #waiting = { normal: new Fifo<Job>(), low: new Fifo<Job>() };

	/** @param now monotonic clock, in milliseconds. */
	constructor(concurrency: number, now: () => number) {
		this.#limit = pLimit(concurrency);
		this.#maxConcurrency = concurrency;
		this.#now = now;
	}

	/** Halves the number, unless the refused request started before that happened: then it says nothing about it. */
	lowerConcurrency(startedAt: number): void {
		if (startedAt <= this.#loweredAt) return;
		this.#loweredAt = this.#now();
		this.#answers = 0;
		this.#limit.concurrency = Math.max(1, Math.floor(this.#limit.concurrency / 2));
	}

	/** As many answers as there may be requests in flight raise the number by one. */
	raiseConcurrency(): void {
		const { concurrency } = this.#limit;
		if (concurrency === this.#maxConcurrency || ++this.#answers < concurrency) return;
		this.#answers = 0;
		this.#limit.concurrency = concurrency + 1;
	}

	/**
	 * @param isRepeated whether a task that failed with this error gets a second turn, after all that wait. If that
	 * fails as well, the first error is thrown.
	 * @throws what the task throws, or the reason of the request's signal.
	 */
	async run<Result>(
		request: ThrottledRequest,
		task: () => Promise<Result>,
		isRepeated: (error: unknown) => boolean,
	): Promise<Result> {
		request.signal?.throwIfAborted();
		const job: Job = { request, start: async () => {}, isUrgent: false, isTaken: false };
		const result = this.#takeTurn(job, task).catch((error: unknown) => {
			if (!isRepeated(error)) throw error;
			return this.#takeTurn(job, task).catch(() => {
				throw error;
			});
		});
		return request.signal ? await untilAborted(result, request.signal) : await result;
	}

	prioritize(operation: string, pid: string): void {
		const { normal, low } = this.#waiting;
		const isWanted = ({ request, isTaken }: Job) =>
			!isTaken && !request.signal?.aborted && request.operation === operation && request.pids.includes(pid);
		for (const line of [this.#urgent, normal, low]) {
			for (const job of line) {
				if (!isWanted(job)) continue;
				job.isUrgent = true;
				this.#urgent.push(job);
				return;
			}
		}
	}

	#takeTurn<Result>(job: Job, task: () => Promise<Result>): Promise<Result> {
		const { promise, resolve, reject } = Promise.withResolvers<Result>();
		// Aborted jobs stay in line, because removing many one by one would take longer than their turns.
		job.start = async () => {
			if (!job.request.signal?.aborted) await task().then(resolve, reject);
		};
		job.isTaken = false;
		if (job.isUrgent) this.#urgent.push(job);
		else this.#waiting[job.request.priority ?? 'normal'].enqueue(job);
		void this.#limit(async () => this.#takeNext()?.start());
		return promise;
	}

	/** A job that became urgent is in two lines, and skipped in the second. */
	#takeNext(): Job | undefined {
		const { normal, low } = this.#waiting;
		for (;;) {
			const job = this.#urgent.pop() ?? normal.dequeue() ?? low.dequeue();
			if (!job?.isTaken) {
				if (job) job.isTaken = true;
				return job;
			}
		}
	}
}

/**
 * Stops all requests while the service is down, or asks for a long pause. Then one finds out whether it is back, and the
 * others wait for it.
 */
export class CircuitBreaker {
	readonly #now: () => number;
	/** In a row: so many mean that the service is down. */
	readonly #maxFailures: number;
	failures = 0;
	reason: PauseReason = 'failures';
	/** `undefined` while the service is up. */
	#restUntil: number | undefined;
	#probe: Promise<void> | undefined;

	/** @param now monotonic clock, in milliseconds. */
	constructor(concurrency: number, now: () => number) {
		this.#maxFailures = Math.max(20, 3 * concurrency);
		this.#now = now;
	}

	/** Time for which the service is still left alone, in milliseconds. */
	get rest(): number {
		return Math.max(0, (this.#restUntil ?? 0) - this.#now());
	}

	/** @returns a function to call when the request has ended. */
	async enter(): Promise<() => void> {
		while (this.#probe) await this.#probe;
		if (this.#restUntil === undefined || this.rest > 0) return () => {};
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#probe = promise;
		return () => {
			this.#probe = undefined;
			resolve();
		};
	}

	stop(reason: PauseReason, milliseconds: number): void {
		if (milliseconds <= this.rest) return;
		this.reason = reason;
		this.#restUntil = this.#now() + milliseconds;
	}

	failed(): void {
		this.failures += 1;
		if (this.failures >= this.#maxFailures) this.stop('failures', 30_000);
	}

	/** Forgets all failures, because the service answered. A pause that it asked for stays. */
	reset(): void {
		this.failures = 0;
		if (this.reason === 'failures' || this.rest === 0) this.#restUntil = undefined;
	}
}

/**
 * Runs `task` with a signal that aborts when `outer` does, or after `milliseconds`. The promise then rejects immediately,
 * even if the task ignores its signal.
 *
 * @throws the reason of `outer`, or the result of `reason` when the time is up.
 */
export async function withTimeLimit<Result>(
	outer: AbortSignal | undefined,
	milliseconds: number,
	reason: () => unknown,
	task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const controller = new AbortController();
	const timer = setTimeout(() => controller.abort(reason()), milliseconds);
	const onAbort = () => controller.abort(outer?.reason);
	if (outer?.aborted) onAbort();
	outer?.addEventListener('abort', onAbort);
	try {
		return await untilAborted(task(controller.signal), controller.signal);
	} finally {
		clearTimeout(timer);
		outer?.removeEventListener('abort', onAbort);
	}
}

/** Settles as the promise does, or rejects with the signal's reason as soon as that aborts. */
async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
	const aborted = Promise.withResolvers<never>();
	const onAbort = () => aborted.reject(signal.reason);
	if (signal.aborted) onAbort();
	signal.addEventListener('abort', onAbort);
	try {
		return await Promise.race([aborted.promise, promise]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** @throws the signal's reason when it aborts. Then no timer keeps the process alive. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
	const over = Promise.withResolvers<void>();
	const timer = setTimeout(over.resolve, milliseconds);
	await untilAborted(over.promise, signal).finally(() => clearTimeout(timer));
}

/** Reads seconds or an HTTP date (RFC 9110, 10.2.3). @returns milliseconds from now, 0 for a date in the past. */
export function parseRetryAfter(header: string | null, now: number, max: number): number | undefined {
	const value = header?.trim() ?? '';
	if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(Number(value) * 1_000, max);
	const date = parseHttpDate(value);
	return date === undefined ? undefined : Math.min(Math.max(0, date - now), max);
}

/** Reads an HTTP date in one of its three forms (RFC 9110, 5.6.7). */
export function parseHttpDate(value: string): number | undefined {
	if (!HTTP_DATE.test(value)) return undefined;
	// The asctime form has no zone and means UTC.
	const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
	return Number.isNaN(date) ? undefined : date;
}

const HTTP_DATE =
	/^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;
