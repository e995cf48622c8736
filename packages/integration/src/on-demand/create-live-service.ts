import { createReviewsClient, type ReviewsClient, ReviewsTimeoutError } from 'product-reviews-client';
import { ENVIRONMENT } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { createAdaptiveConcurrency } from '../service/create-adaptive-concurrency.js';
import { createBreaker } from '../service/create-breaker.js';
import { LONGEST_PAUSE } from '../service/longest-pause.js';
import { createQueue } from './create-queue.js';
import type { LiveEnvironment } from './live-environment.js';
import type { LiveSettings } from './live-settings.js';

/** Asks the service from a server. */
export interface LiveService {
	/** @param isKnown whether the request is about a product of which the service has something. Such ones go first. */
	ask<Answer>(request: (client: ReviewsClient) => Promise<Answer>, isKnown: boolean): Promise<Answer>;
	readonly hasAnswered: () => boolean;
}

/**
 * Ids come from addresses, so from anybody: the failures of those of which nothing is known are counted on their own, and
 * never keep the service from being asked for other products. An answer to either shows that the service is up.
 */
export function createLiveService(
	settings: LiveSettings,
	environment: Pick<LiveEnvironment, 'getSecret' | 'fetch'> &
		Required<Pick<LiveEnvironment, 'now' | 'monotonicNow' | 'schedule'>>,
): LiveService {
	const { now, monotonicNow, schedule } = environment;
	const { concurrency, pacing } = settings;
	const { observe, current } = createAdaptiveConcurrency({ most: concurrency });
	const queue = createQueue(current);
	const breakers = {
		known: createBreaker(concurrency, monotonicNow),
		others: createBreaker(concurrency, monotonicNow),
	};
	let connected: ReviewsClient | undefined;
	let hasAnswered = false;

	const client = () => {
		connected ??= createReviewsClient({
			...connectionOf(settings, environment.getSecret),
			...pacing,
			maxPause: LONGEST_PAUSE,
			fetch: environment.fetch,
			now,
			monotonicNow,
			sleep: (milliseconds, signal) => sleep(milliseconds, signal, schedule),
			onRequest: ({ status, durationMs, error }) =>
				observe({ status, durationMs, timedOut: error instanceof ReviewsTimeoutError }),
		});
		return connected;
	};
	return {
		hasAnswered: () => hasAnswered,
		ask: (request, isKnown) =>
			queue.run(async () => {
				const [own, other] = isKnown ? [breakers.known, breakers.others] : [breakers.others, breakers.known];
				const answer = await own.run(async () => request(client()));
				other.recover();
				hasAnswered = true;
				return answer;
			}, isKnown),
	};
}

/** @throws the signal's reason when it aborts. */
async function sleep(
	milliseconds: number,
	signal: AbortSignal,
	schedule: Required<LiveEnvironment>['schedule'],
): Promise<void> {
	signal.throwIfAborted();
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const cancel = schedule(resolve, milliseconds);
	const onAbort = () => reject(signal.reason);
	signal.addEventListener('abort', onAbort, { once: true });
	try {
		await promise;
	} finally {
		cancel();
		signal.removeEventListener('abort', onAbort);
	}
}

function connectionOf(settings: LiveSettings, getSecret: LiveEnvironment['getSecret']) {
	const token = getSecret(ENVIRONMENT.token);
	return {
		baseUrl: settings.baseUrl ?? required(ENVIRONMENT.baseUrl, getSecret),
		wsid: settings.wsid ?? required(ENVIRONMENT.wsid, getSecret),
		// Looked up again when the service refuses it.
		token: token ? () => getSecret(ENVIRONMENT.token) ?? token : undefined,
	};
}

function required(name: string, getSecret: LiveEnvironment['getSecret']): string {
	const value = getSecret(name)?.trim();
	if (value) return value;
	throw new ProductReviewsConfigurationError(
		`${name} is not set in the environment of the server.`,
		'Set it where the server runs, or set the option of productReviews().',
	);
}
