import type { Priority, Validators } from 'product-reviews-client';
import { ENVIRONMENT } from '../constants.js';
import { createAdvice } from '../failures/create-advice.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { Credentials } from '../options/connection.js';
import { readPayloadInSteps } from '../parse/read-payload.js';
import { readReviewDataInSteps } from '../parse/read-review-data.js';
import type { ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import { inPieces } from '../parse/steps.js';
import type { Freshness, ReviewSource } from '../runtime/source.js';
import { nameProduct } from '../text/words.js';
import { createLiveMemory } from './create-live-memory.js';
import { createLiveService } from './create-live-service.js';
import { createLiveStars, type LiveStars } from './create-live-stars.js';
import type { LiveEnvironment } from './live-environment.js';
import type { LiveMemoryContext } from './live-memory.js';
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
	let warnedAt = Number.NEGATIVE_INFINITY;
	const advise = createAdvice({
		authorizeCrawlerHtml: settings.pacing.authorizeCrawlerReviews,
		credentials: () => credentialsOf(settings, environment.getSecret),
		hasAnswered: service.hasAnswered,
	});
	const nextTurn = () => new Promise<void>((resolve) => void schedule(resolve, 0));
	const isKnown = (pid: string): boolean => all.some((memory) => memory.has(pid));
	// Ids come from addresses, so from anybody: those of which nothing is known must not keep others from being asked for.
	const priorityOf = (pid: string): Priority => (isKnown(pid) ? 'normal' : 'low');
	const memoryOf = <Value, Known = never>(own: Pick<LiveMemoryContext<Value, Known>, 'ask' | 'isEmpty'>) =>
		createLiveMemory<Value, Known>({
			...onDemand,
			...own,
			isKnown,
			maxStale,
			now,
			monotonicNow,
			schedule,
			onFailure,
		});

	const reviews = memoryOf<ProductReviews, Validators>({
		async ask(pid, known) {
			const priority = priorityOf(pid);
			const payload = await service.ask((client) => client.getCrawlerReviews(pid, { known, priority }));
			if (payload === 'unchanged') return payload;
			const value = await inPieces(readPayloadInSteps(payload), payload.html.length + payload.jsonld.length);
			return payload.validators ? { value, known: payload.validators } : { value };
		},
		isEmpty: ({ aggregate, reviews }) => aggregate === undefined && reviews.length === 0,
	});
	const reviewData = memoryOf<ReviewData>({
		async ask(pid) {
			const priority = priorityOf(pid);
			const data = await service.ask((client) => client.getProductReviewData(pid, { priority }));
			const items = data.reviews.length + data.media.length + data.questions.length;
			return { value: await inPieces(readReviewDataInSteps(data), items * LENGTH_OF_ITEM) };
		},
		isEmpty: ({ aggregate, reviews, questions }) =>
			aggregate === undefined && reviews.length + questions.length === 0,
	});
	const askForStars = createLiveStars(service, isKnown, nextTurn);
	const stars = memoryOf<LiveStars>({
		ask: async (pid) => ({ value: await askForStars(pid) }),
		isEmpty: ({ aggregate }) => aggregate === undefined,
	});
	const memories = { reviews, 'review-data': reviewData };
	const all = [reviews, reviewData, stars];
	const hasToken = () => Boolean(environment.getSecret(ENVIRONMENT.token));

	return {
		getProductReviews: (pid) => reviews.load(pid),
		getReviewData: (pid) => reviewData.load(pid),
		async getStarRating(pid) {
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
		forget(pids) {
			for (const memory of all) {
				if (pids) for (const pid of pids) memory.forget(pid);
				else memory.forgetAll();
			}
		},
	};

	function onFailure(pid: string, error: unknown): void {
		// Otherwise, a service that is down would fill the log.
		if (monotonicNow() - warnedAt < WARNING_INTERVAL) return;
		warnedAt = monotonicNow();
		const why = [describeFailure(error), advise([{ pid, error }])].filter(Boolean).join(' ');
		warn(
			`[astro-product-reviews] The service failed for the product ${nameProduct(pid)}; what was shown last or nothing is shown. ${why}`,
		);
	}
}

/** Estimated length of an item of review data, in UTF-16 code units. */
const LENGTH_OF_ITEM = 1_000;

/** Shortest interval between warnings about failures, in milliseconds. */
const WARNING_INTERVAL = 60_000;

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
