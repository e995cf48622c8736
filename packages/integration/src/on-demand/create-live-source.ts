import { ENVIRONMENT, INTEGRATION_NAME } from '../constants.js';
import { createAdvice } from '../failures/create-advice.js';
import type { Credentials } from '../options/connection.js';
import type { Freshness, ReviewSource } from '../runtime/source.js';
import { createLiveChanges } from './create-live-changes.js';
import { createLiveService } from './create-live-service.js';
import { createLiveStorage } from './create-live-storage.js';
import { createWarnings } from './create-warnings.js';
import type { LiveEnvironment } from './live-environment.js';
import { createLiveMemories } from './live-memories.js';
import type { LiveSettings } from './live-settings.js';

/**
 * The reviews for pages rendered on demand. They are fetched from the service in this process, and remembered for a while.
 * It uses no Node API. Address, website id and token are looked up when a page first asks.
 */
export function createLiveSource(settings: LiveSettings, environment: LiveEnvironment): ReviewSource {
	const { onDemand, maxStale } = settings;
	const { now = Date.now, schedule = startTimer, warn = (message) => console.warn(message) } = environment;
	const monotonicNow = environment.monotonicNow ?? environment.now ?? (() => performance.now());
	const service = createLiveService(settings, { ...environment, now, monotonicNow, schedule });
	const advise = createAdvice({
		authorizeCrawlerHtml: settings.pacing.authorizeCrawlerReviews,
		credentials: () => credentialsOf(settings, environment.getSecret),
		hasAnswered: service.hasAnswered,
	});
	const nextTurn = () => new Promise<void>((resolve) => void schedule(resolve, 0));
	const { onFailure, onVanished } = createWarnings(advise, monotonicNow, warn);
	const storage = createLiveStorage(settings, {
		...environment,
		now,
		monotonicNow,
		schedule,
		warn: (message) => warn(`[${INTEGRATION_NAME}] ${message}`),
	});
	const { reviews, reviewData, stars, all } = createLiveMemories(
		service,
		{ ...onDemand, maxStale, now, monotonicNow, schedule, onFailure, onVanished },
		storage,
		nextTurn,
	);
	const memories = { reviews, 'review-data': reviewData };
	const hasToken = () => Boolean(environment.getSecret(ENVIRONMENT.token));

	const { listen, forget } = createLiveChanges(all, storage);

	return {
		async getProductReviews(pid) {
			if (listen) await listen();
			return reviews.load(pid);
		},
		async getReviewData(pid) {
			if (listen) await listen();
			return reviewData.load(pid);
		},
		async getStarRating(pid) {
			if (listen) await listen();
			if (!hasToken()) return (await reviews.load(pid))?.aggregate;
			const isFresh = () => all.find((memory) => memory.freshness(pid).state === 'fresh');
			// What else the page shows of the product may bring its rating.
			if (!isFresh()) await nextTurn();
			const from = isFresh() ?? all.find((memory) => memory.isAsked(pid)) ?? stars;
			const value = await from.load(pid);
			return (value ?? stars.peek(pid) ?? reviews.peek(pid) ?? reviewData.peek(pid))?.aggregate;
		},
		// Pages rendered on demand have no cache key.
		digestOf: async () => 'none',
		place() {},
		freshness(resource, pid) {
			if (resource !== 'rating') return memories[resource].freshness(pid);
			if (!hasToken()) return reviews.freshness(pid);
			return best(all.map((memory) => memory.freshness(pid)));
		},
		forget,
	};
}

const STATES: readonly Freshness['state'][] = ['fresh', 'stale', 'missing'];

/** Stars are shown of what is freshest. */
function best(known: readonly Freshness[]): Freshness {
	const [first] = known.toSorted((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state));
	return first as Freshness;
}

function startTimer(callback: () => void, milliseconds: number): () => void {
	const timer = setTimeout(callback, milliseconds);
	return () => clearTimeout(timer);
}

function credentialsOf({ wsid }: LiveSettings, getSecret: LiveEnvironment['getSecret']): Credentials {
	return {
		wsid: wsid ?? getSecret(ENVIRONMENT.wsid)?.trim() ?? '',
		origins: {
			wsid: wsid
				? 'the option "wsid" of productReviews()'
				: `${ENVIRONMENT.wsid} in the environment of the server`,
			token: `${ENVIRONMENT.token} in the environment of the server`,
		},
	};
}
