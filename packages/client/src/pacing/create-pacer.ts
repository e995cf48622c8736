import type { Settings } from '../options/resolve-options.js';
import { createAdaptiveConcurrency, type EndedTry } from './create-adaptive-concurrency.js';
import { createBreaker, type Rest } from './create-breaker.js';
import { createGate, type Gate } from './create-gate.js';
import { createQueue, type Queue } from './create-queue.js';
import { createRetryBudget, type RetryBudget } from './create-retry-budget.js';
import { isOutage } from './is-outage.js';
import type { PacedRequest } from './paced-request.js';

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
