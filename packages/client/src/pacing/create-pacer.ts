import {
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from '../errors/index.js';
import type { Settings } from '../options/options.js';
import { createAdaptiveConcurrency, type EndedTry } from './create-adaptive-concurrency.js';
import { createQueue, type PacedRequest, type Priority, type Queue } from './create-queue.js';

/** Decides whether and when the requests of one client are sent. */
export interface Pacer {
	/** Every try passes it before it starts. */
	readonly gate: Gate;
	/** Pays for every try except the first. */
	readonly budget: RetryBudget;
	/**
	 * Sends a request, with all its tries, when its turn comes.
	 *
	 * @param refuse creates the error for a request that is not sent because the service failed too often.
	 * @throws what `send` throws, the error from `refuse`, or the reason of the request's signal.
	 */
	run<Answer>(
		request: PacedRequest,
		send: () => Promise<Answer>,
		refuse: (rest: Rest) => Error,
	): Promise<Answer>;
	/** Moves a waiting request about a product to the front, if there is one. */
	readonly prioritize: Queue['prioritize'];
	/** Called with every try as it ends. */
	observe(ended: EndedTry): void;
}

/**
 * Combines the parts of overload control. From the outside in: a queue limits the requests in flight and orders the
 * waiting ones. A breaker refuses requests while the service is down. A gate spaces the starts of tries and observes
 * pauses requested by the service. A budget limits retries. The outcome of each try determines how many may be in
 * flight next.
 */
export function createPacer(
	settings: Pick<
		Settings,
		'concurrency' | 'retries' | 'requestsPerSecond' | 'maxRetryAfter' | 'monotonicNow' | 'sleep'
	>,
): Pacer {
	const { concurrency, retries, monotonicNow } = settings;
	const queue = createQueue(concurrency);
	const breaker = createBreaker(concurrency, monotonicNow);
	const adaptive = createAdaptiveConcurrency({ most: concurrency, now: monotonicNow });
	return {
		gate: createGate(settings),
		budget: createRetryBudget(),
		prioritize: queue.prioritize,
		run: (request, send, refuse) =>
			queue.run(
				request,
				() => breaker.run(request, send, refuse),
				// Callers who do not want retries do not want requests sent a second time either.
				(error) => Boolean(request.requeue) && retries > 0 && !request.signal?.aborted && isOutage(error),
			),
		observe(ended) {
			adaptive.observe(ended);
			queue.allow(adaptive.current());
		},
	};
}

/** The retries left for a client, shared by all its operations. */
interface RetryBudget {
	/** Takes `cost` tokens. Returns `false` and takes none if there are fewer. */
	take(cost: number): boolean;
	/** Puts tokens back, up to the size of the bucket. */
	giveBack(tokens: number): void;
}

/**
 * A token bucket for the lifetime of a client. Without it, every product would use all its retries when the service is
 * down: 100,000 products times 4. With it, a whole outage costs about 100 retries. The size and costs are those of the
 * AWS SDKs.
 */
function createRetryBudget(size: number = BUDGET_SIZE): RetryBudget {
	let left = size;
	return {
		take(cost) {
			if (left < cost) return false;
			left -= cost;
			return true;
		},
		giveBack(tokens) {
			left = Math.min(size, left + tokens);
		},
	};
}

const BUDGET_SIZE = 500;

/** Why a request is not sent. */
interface Rest {
	/** Number of failures in a row. */
	readonly failures: number;
	/** Remaining rest of the service, in milliseconds. */
	readonly milliseconds: number;
}

/** Stops sending requests to a service that is down. Otherwise each product would take its full time limit, for hours. */
interface Breaker {
	/**
	 * Sends a request, unless the service is considered down. After the rest, one request probes whether it still is.
	 *
	 * @param refuse creates the error for a request that is not sent.
	 * @throws the error from `refuse`, or what `send` throws.
	 */
	run<Answer>(
		request: Pick<PacedRequest, 'priority' | 'signal'>,
		send: () => Promise<Answer>,
		refuse: (rest: Rest) => Error,
	): Promise<Answer>;
}

/** The service is considered down after this many failures in a row for each request that may be in flight ... */
const FAILURES_A_SLOT = 3;

/** ... but not after fewer than this. */
const LEAST_FAILURES = 20;

/** How long no requests are sent to a service that is down, in milliseconds. */
const REST = 30_000;

/**
 * A circuit breaker with a count per priority. Failures of low-priority requests, whose product ids may be made up,
 * never stop the others. An answer to any request shows that the service is up, and ends both rests.
 *
 * @param concurrency maximum number of requests in flight.
 * @param now monotonic clock, in milliseconds.
 */
function createBreaker(concurrency: number, now: () => number): Breaker {
	const most = Math.max(LEAST_FAILURES, FAILURES_A_SLOT * concurrency);
	const states: Record<Priority, State> = { normal: closed(), low: closed() };
	return {
		async run({ priority = 'normal', signal }, send, refuse) {
			const state = states[priority];
			const milliseconds = state.restUntil - now();
			if (milliseconds > 0) throw refuse({ failures: state.failures, milliseconds });
			// This request is the probe. The others wait for its result.
			if (state.failures >= most) state.restUntil = now() + REST;
			try {
				const answer = await send();
				Object.assign(states.normal, closed());
				Object.assign(states.low, closed());
				return answer;
			} catch (error) {
				// A request aborted by its caller says nothing about the service.
				if (signal?.aborted) throw error;
				if (isOutage(error)) {
					state.failures += 1;
					if (state.failures >= most) state.restUntil = now() + REST;
				} else if (isAnswer(error)) {
					Object.assign(state, closed());
				}
				throw error;
			}
		},
	};
}

interface State {
	/** Failures in a row. */
	failures: number;
	restUntil: number;
}

function closed(): State {
	return { failures: 0, restUntil: Number.NEGATIVE_INFINITY };
}

/** Whether the service answered, even if not successfully. */
function isAnswer(error: unknown): boolean {
	return error instanceof ReviewsHttpError || error instanceof ReviewsResponseError;
}

/**
 * Whether an error means that the service is down or too busy, rather than a problem with one product. The client's own
 * refusal to send requests after too many failures says nothing new.
 */
function isOutage(error: unknown): boolean {
	if (error instanceof ReviewsNetworkError || error instanceof ReviewsTimeoutError) return true;
	if (error instanceof ReviewsPausedError) return error.reason === 'retry-after';
	if (error instanceof ReviewsHttpError) return BUSY.has(error.status) || isServerError(error.status);
	// Something other than the service answered.
	return error instanceof ReviewsResponseError && FOREIGN_REASONS.has(error.reason);
}

/** "Request timeout", "too many requests". */
const BUSY: ReadonlySet<number> = new Set([408, 429]);

const FOREIGN_REASONS: ReadonlySet<string> = new Set(['foreign', 'redirect']);

/** Statuses above 599 do not exist. Whatever answers 999 is not a service that is down. */
function isServerError(status: number): boolean {
	return status >= 500 && status <= 599;
}

/** Every request of a client passes the gate before it starts. */
interface Gate {
	/**
	 * Waits until a request may start.
	 *
	 * @param notBefore the earliest start, on the monotonic clock.
	 * @throws the signal's reason when it aborts.
	 */
	enter(signal: AbortSignal, notBefore: number): Promise<Pass>;
	/**
	 * Holds back every request for a time, in milliseconds. Above `maxRetryAfter`, the client stops sending requests.
	 */
	pause(milliseconds: number): void;
}

/** Whether a request may start. */
type Pass =
	| { readonly stoppedFor?: never /** Call when it has ended. */; readonly leave: () => void }
	/** The rest of the pause, in milliseconds, if the client has stopped sending requests. */
	| { readonly stoppedFor: number };

/**
 * Spaces the starts of requests, and holds all of them back during a pause requested by the service: if it is too busy
 * for one product, it is too busy for the next. After a stop, one request probes whether the service answers again, and
 * the others wait for it.
 */
function createGate(settings: {
	requestsPerSecond: number | undefined;
	maxRetryAfter: number;
	monotonicNow: () => number;
	sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}): Gate {
	const { monotonicNow, sleep } = settings;
	const interval = settings.requestsPerSecond === undefined ? 0 : 1_000 / settings.requestsPerSecond;
	const waiting = new Set<() => void>();
	let nextStart = Number.NEGATIVE_INFINITY;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	let stoppedUntil = Number.NEGATIVE_INFINITY;
	let probe: 'none' | 'wanted' | 'under way' = 'none';

	return {
		async enter(signal, notBefore) {
			for (;;) {
				signal.throwIfAborted();
				const time = monotonicNow();
				if (stoppedUntil > time) return { stoppedFor: stoppedUntil - time };
				// If the only available clock was set back by a day, the next start must not be a day away.
				const spaced = Math.min(nextStart, time + interval);
				const wait = Math.max(spaced, pausedUntil, notBefore) - time;
				if (probe !== 'under way' && wait <= 0) {
					nextStart = time + interval;
					return { leave: begin() };
				}
				await waitFor(probe === 'under way' ? undefined : wait, signal, waiting, sleep);
			}
		},
		pause(milliseconds) {
			const until = monotonicNow() + milliseconds;
			pausedUntil = Math.max(pausedUntil, until);
			if (milliseconds <= settings.maxRetryAfter) return;
			stoppedUntil = Math.max(stoppedUntil, until);
			probe = 'wanted';
			wakeAll();
		},
	};

	function begin(): () => void {
		if (probe !== 'wanted') return () => {};
		probe = 'under way';
		return () => {
			// Another long pause requires another probe.
			if (probe !== 'under way') return;
			probe = 'none';
			wakeAll();
		};
	}

	function wakeAll(): void {
		for (const wake of waiting) wake();
	}
}

/**
 * Waits until the time is up, the function added to `waiting` is called, or the signal aborts. Leaves no listener
 * behind.
 *
 * @param milliseconds `undefined` to wait without a time limit.
 */
async function waitFor(
	milliseconds: number | undefined,
	signal: AbortSignal,
	waiting: Set<() => void>,
	sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
	const sleeper = new AbortController();
	const woken = Promise.withResolvers<void>();
	const wake = () => {
		woken.resolve();
		sleeper.abort();
	};
	waiting.add(wake);
	signal.addEventListener('abort', wake, { once: true });
	try {
		const slept = milliseconds === undefined ? woken.promise : sleep(milliseconds, sleeper.signal);
		await Promise.race([slept, woken.promise]).catch((error) => {
			if (!sleeper.signal.aborted) throw error;
		});
	} finally {
		waiting.delete(wake);
		signal.removeEventListener('abort', wake);
	}
}
