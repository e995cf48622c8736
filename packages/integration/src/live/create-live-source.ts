import pLimit from 'p-limit';
import {
	createReviewsClient,
	type ReviewsClient,
	ReviewsTimeoutError,
	type Validators,
} from 'product-reviews-client';
import { ENVIRONMENT } from '../constants.js';
import { ConfigurationError } from '../errors.js';
import { readPayload } from '../payload/read-payload.js';
import { readReviewData } from '../payload/read-review-data.js';
import type { ProductReviews } from '../payload/record.js';
import type { ReviewData } from '../payload/review-data.js';
import { type Credentials, createAdvice } from '../prefetch/create-advice.js';
import { describeFailure } from '../prefetch/describe-failure.js';
import { nameProduct } from '../prefetch/name-products.js';
import type { ReviewSource } from '../runtime/sources.js';
import { createAdaptiveConcurrency } from '../service/create-adaptive-concurrency.js';
import { createBreaker } from '../service/create-breaker.js';
import { createLiveMemory, type LiveMemoryContext } from './create-live-memory.js';
import type { LiveSettings } from './live-settings.js';

/** What of the outside a live source works with. */
export interface LiveEnvironment {
	/** A variable of the server's environment. */
	readonly getSecret: (name: string) => string | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: () => number;
	/** @default a timer */
	readonly schedule?: LiveMemoryContext<unknown, unknown>['schedule'];
	/** @default console.warn */
	readonly warn?: (message: string) => void;
}

/**
 * The reviews of pages that are rendered on demand: asked of the service in this process, and remembered for a while. It
 * uses no Node API. Address, website id and token are looked up when the first page asks.
 */
export function createLiveSource(settings: LiveSettings, environment: LiveEnvironment): ReviewSource {
	const { onDemand, maxStale, concurrency } = settings;
	const { now = Date.now, schedule = startTimer, warn = (message) => console.warn(message) } = environment;
	const { observe, current } = createAdaptiveConcurrency({ most: concurrency });
	const limit = pLimit(concurrency);
	const breaker = createBreaker(concurrency, now);
	let connected: ReviewsClient | undefined;
	let warnedAt = Number.NEGATIVE_INFINITY;
	let hasAnswered = false;
	const advise = createAdvice({
		authorizeCrawlerHtml: settings.pacing.authorizeCrawlerReviews,
		credentials: () => credentialsOf(settings, environment.getSecret),
		hasAnswered: () => hasAnswered,
	});

	const client = () => {
		connected ??= createReviewsClient({
			...connectionOf(settings, environment.getSecret),
			...settings.pacing,
			fetch: environment.fetch,
			onRequest: ({ status, durationMs, error }) =>
				observe({ status, durationMs, timedOut: error instanceof ReviewsTimeoutError }),
		});
		return connected;
	};
	const asking = <Answer>(request: (client: ReviewsClient) => Promise<Answer>) =>
		limit(() =>
			breaker
				.run(async () => request(client()))
				.then((answer) => {
					hasAnswered = true;
					return answer;
				})
				.finally(() => {
					limit.concurrency = current();
				}),
		);
	const memoryOf = <Value, Known = never>(ask: LiveMemoryContext<Value, Known>['ask']) =>
		createLiveMemory<Value, Known>({ ...onDemand, maxStale, ask, now, schedule, onFailure });

	const reviews = memoryOf<ProductReviews, Validators>(async (pid, known) => {
		const payload = await asking((client) => client.getCrawlerReviews(pid, { known }));
		if (payload === 'unchanged') return payload;
		const value = readPayload(payload);
		return payload.validators ? { value, known: payload.validators } : { value };
	});
	const reviewData = memoryOf<ReviewData>(async (pid) => ({
		value: readReviewData(await asking((client) => client.getProductReviewData(pid))),
	}));
	const memories = { reviews, 'review-data': reviewData };

	return {
		getProductReviews: (pid) => reviews.load(pid),
		getReviewData: (pid) => reviewData.load(pid),
		// Pages that are rendered on demand have no cache key.
		digestOf: async () => 'none',
		place() {},
		standing: (resource, pid) => memories[resource].standing(pid),
		forget(pids) {
			for (const memory of Object.values(memories)) {
				if (pids) for (const pid of pids) memory.forget(pid);
				else memory.forgetAll();
			}
		},
	};

	function onFailure(pid: string, error: unknown): void {
		// A service that is down would fill the log.
		if (now() - warnedAt < WARNING_INTERVAL) return;
		warnedAt = now();
		const why = [describeFailure(error), advise([{ pid, error }])].filter(Boolean).join(' ');
		warn(
			`[astro-product-reviews] The service failed for the product ${nameProduct(pid)}; what was shown last or nothing is shown. ${why}`,
		);
	}
}

/** How often failures are in the log, in milliseconds. */
const WARNING_INTERVAL = 60_000;

function startTimer(callback: () => void, milliseconds: number): () => void {
	const timer = setTimeout(callback, milliseconds);
	return () => clearTimeout(timer);
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

function required(name: string, getSecret: LiveEnvironment['getSecret']): string {
	const value = getSecret(name)?.trim();
	if (value) return value;
	throw new ConfigurationError(
		`${name} is not set in the environment of the server.`,
		'Set it where the server runs, or set the option of productReviews().',
	);
}
