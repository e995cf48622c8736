import type { Settings } from '../options/resolve-options.js';
import { createAdaptiveConcurrency, type EndedTry } from './create-adaptive-concurrency.js';
import { createBreaker, type Rest } from './create-breaker.js';
import { createGate, type Gate } from './create-gate.js';
import { createQueue, type Queue } from './create-queue.js';
import { createRetryBudget, type RetryBudget } from './create-retry-budget.js';
import { isOutage } from './is-outage.js';
import type { PacedRequest } from './paced-request.js';

/** Decides when the requests of one client are sent, and whether they are. */
export interface Pacer {
	/** Every try of a request passes it before it starts. */
	readonly gate: Gate;
	/** Every try of a request but the first is paid from it. */
	readonly budget: RetryBudget;
	/**
	 * Sends a request, with all its tries, when its turn comes.
	 *
	 * @param refuse makes the error for a request that is not sent, because the service failed too often.
	 * @throws what `send` throws, what `refuse` gives, or the reason of the request's signal.
	 */
	run<Answer>(
		request: PacedRequest,
		send: () => Promise<Answer>,
		refuse: (rest: Rest) => Error,
	): Promise<Answer>;
	/** Moves a waiting request about a product to the front; does nothing where none waits. */
	readonly prioritize: Queue['prioritize'];
	/** Called with every try as it ends. */
	observe(ended: EndedTry): void;
}

/**
 * Puts the parts of the overload control together. From the outside in: a queue bounds how many requests are in flight and
 * orders those that wait; a breaker refuses them while the service is down; a gate spaces the starts of tries and
 * observes the pauses that the service asks for; and a budget bounds how many tries are made again. How each try ends decides how
 * many may be in flight next.
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
				// Callers who want no request tried again want none sent a second time either.
				(error) => Boolean(request.requeue) && retries > 0 && !request.signal?.aborted && isOutage(error),
			),
		observe(ended) {
			adaptive.observe(ended);
			queue.allow(adaptive.current());
		},
	};
}
