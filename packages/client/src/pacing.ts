import pLimit from 'p-limit';
import Fifo from 'yocto-queue';
import type { ReviewsRequest } from './call.js';
import type { Operation } from './contract.js';
import type { PauseReason } from './errors.js';
import { untilAborted } from './time-limit.js';

/** A request that waits for its turn. */
interface Job {
	readonly request: ReviewsRequest;
	/** Never rejects. */
	readonly start: () => Promise<void>;
	isUrgent: boolean;
	isTaken: boolean;
}

/** Orders the requests that wait, and limits how many are in flight. */
export class RequestQueue {
	readonly #limit;
	/** The last one is next. */
	readonly #urgent: Job[] = [];
	readonly #waiting = { normal: new Fifo<Job>(), low: new Fifo<Job>() };

	constructor(concurrency: number) {
		this.#limit = pLimit(concurrency);
	}

	/** Sets how many requests may be in flight from now on. Those under way are not stopped. */
	set concurrency(concurrency: number) {
		if (this.#limit.concurrency !== concurrency) this.#limit.concurrency = concurrency;
	}

	/**
	 * Runs a task when its turn comes.
	 *
	 * @param isRepeated whether a task that failed with this error gets a second turn, after all that wait. If that
	 * fails as well, the first error is thrown.
	 * @throws what the task throws, or the reason of the request's signal.
	 */
	async run<Result>(
		request: ReviewsRequest,
		task: () => Promise<Result>,
		isRepeated: (error: unknown) => boolean,
	): Promise<Result> {
		const { promise, resolve, reject } = Promise.withResolvers<Result>();
		let failure: { readonly error: unknown } | undefined;
		const job: Job = {
			request,
			isUrgent: false,
			isTaken: false,
			start: async () => {
				// Aborted jobs stay in line, because removing many one by one would take longer than their turns.
				if (request.signal?.aborted) return;
				try {
					resolve(await task());
				} catch (error) {
					if (failure || !isRepeated(error)) return reject(failure ? failure.error : error);
					failure = { error };
					this.#add(job);
				}
			},
		};
		request.signal?.throwIfAborted();
		this.#add(job);
		return request.signal ? await untilAborted(promise, request.signal) : await promise;
	}

	/** Moves a waiting request about a product to the front, if there is one. */
	prioritize(operation: Operation, pid: string): void {
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

	#add(job: Job): void {
		job.isTaken = false;
		if (job.isUrgent) this.#urgent.push(job);
		else this.#waiting[job.request.priority ?? 'normal'].enqueue(job);
		void this.#limit(async () => this.#takeNext()?.start());
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

/** How long the service is left alone, and why. */
export interface Rest {
	readonly reason: PauseReason;
	/** Failures in a row. */
	readonly failures: number;
	readonly milliseconds: number;
}

/** The service counts as down after this many failures in a row for each request in flight, but at least 20 of them. */
const FAILURES_PER_SLOT = 3;

const MIN_FAILURES = 20;

/** How long a service that is down is left alone, in milliseconds. */
const REST = 30_000;

/**
 * Stops all requests while the service is down, or asks for a long pause. Then one request finds out whether it is back,
 * and the others wait for it.
 */
export class CircuitBreaker {
	readonly #reason: PauseReason;
	readonly #maxFailures: number;
	readonly #now: () => number;
	#failures = 0;
	/** When the rest ends; `undefined` while the service is up. */
	#restUntil: number | undefined;
	#probe: Promise<void> | undefined;

	/** @param now monotonic clock, in milliseconds. */
	constructor(reason: PauseReason, concurrency: number, now: () => number) {
		this.#reason = reason;
		this.#maxFailures = Math.max(MIN_FAILURES, FAILURES_PER_SLOT * concurrency);
		this.#now = now;
	}

	/** The rest of the service; `undefined` if requests may be sent. */
	get rest(): Rest | undefined {
		const milliseconds = (this.#restUntil ?? 0) - this.#now();
		if (this.#restUntil === undefined || milliseconds <= 0) return undefined;
		return { reason: this.#reason, failures: this.#failures, milliseconds };
	}

	/**
	 * Waits while another request finds out whether the service is back.
	 *
	 * @returns a function to call when the request has ended.
	 */
	async enter(): Promise<() => void> {
		while (this.#probe) await this.#probe;
		if (this.#restUntil === undefined || this.rest) return () => {};
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#probe = promise;
		return () => {
			this.#probe = undefined;
			resolve();
		};
	}

	/** Leaves the service alone. */
	stop(milliseconds: number): void {
		this.#restUntil = Math.max(this.#restUntil ?? 0, this.#now() + milliseconds);
	}

	/** Counts a request that the service failed to answer. */
	failed(): void {
		this.#failures += 1;
		if (this.#failures >= this.#maxFailures) this.stop(REST);
	}

	/** Forgets all failures, because the service answered. A pause that it asked for stays. */
	reset(): void {
		this.#failures = 0;
		if (this.#reason === 'failures' || !this.rest) this.#restUntil = undefined;
	}
}

/**
 * Finds how many requests the service takes at once. A request that it refuses as one too many halves the number; as many
 * answers as there are requests in flight raise it by one.
 */
export class AdaptiveConcurrency {
	readonly #max: number;
	readonly #now: () => number;
	#current: number;
	#answers = 0;
	#loweredAt = Number.NEGATIVE_INFINITY;

	/** @param now monotonic clock, in milliseconds. */
	constructor(max: number, now: () => number) {
		this.#max = max;
		this.#current = max;
		this.#now = now;
	}

	get current(): number {
		return this.#current;
	}

	/** @param startedAt start of the request. One that started before the last change says nothing about the new number. */
	refused(startedAt: number): void {
		if (startedAt <= this.#loweredAt) return;
		this.#current = Math.max(1, Math.floor(this.#current / 2));
		this.#loweredAt = this.#now();
		this.#answers = 0;
	}

	answered(): void {
		this.#answers += 1;
		if (this.#current === this.#max || this.#answers < this.#current) return;
		this.#current += 1;
		this.#answers = 0;
	}
}
