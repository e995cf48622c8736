import { createReviewsClient, type ReviewsClient } from 'product-reviews-client';
import { ENVIRONMENT, LONGEST_PAUSE } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { LiveEnvironment, LiveSettings } from './live-memory.js';

/** Asks the service from a server. */
export interface LiveService {
	/** @throws ProductReviewsConfigurationError where the environment lacks something, and what the request throws. */
	ask<Answer>(request: (client: ReviewsClient) => Promise<Answer>): Promise<Answer>;
	readonly hasAnswered: () => boolean;
}

/** The client of a server. It is made when the first page asks: before that, the environment may not be there. */
export function createLiveService(
	settings: LiveSettings,
	environment: Pick<LiveEnvironment, 'getSecret' | 'fetch'> &
		Required<Pick<LiveEnvironment, 'now' | 'monotonicNow' | 'schedule'>>,
): LiveService {
	const { now, monotonicNow, schedule } = environment;
	let connected: ReviewsClient | undefined;
	let hasAnswered = false;

	const connect = () =>
		createReviewsClient({
			...connectionOf(settings, environment.getSecret),
			...settings.pacing,
			maxPause: LONGEST_PAUSE,
			fetch: environment.fetch,
			now,
			monotonicNow,
			sleep: (milliseconds, signal) => sleep(milliseconds, signal, schedule),
		});
	return {
		hasAnswered: () => hasAnswered,
		async ask(request) {
			connected ??= connect();
			const answer = await request(connected);
			hasAnswered = true;
			return answer;
		},
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
		'PR_NOT_CONFIGURED',
		`${name} is not set in the environment of the server.`,
		'Set it where the server runs, or set the option of productReviews().',
	);
}
