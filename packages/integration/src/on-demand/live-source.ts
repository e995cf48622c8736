import { createReviewsClient } from 'product-reviews-client';
import { ENVIRONMENT, INTEGRATION_NAME, LONGEST_PAUSE } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { describeFailure } from '../failures/describe-failure.js';
import { createAdvice, describeVanished } from '../failures/describe-failures.js';
import { codeOf, kindOf } from '../failures/policy.js';
import { accountOf, type BaseUrl, baseUrlOf, readStorageConfig, tokenOf } from '../options/connection.js';
import { assertProvider } from '../options/provider.js';
import { createHostedCalls } from '../providers/hosted-reviews.js';
import { createProviderCalls } from '../providers/provider-call.js';
import type { ProviderCalls } from '../providers/review-fetcher.js';
import type { Freshness, ReviewSource } from '../runtime/page-source.js';
import type { SharedStorage } from '../shared-storage/shared-storage.js';
import { nameProduct } from '../text/words.js';
import { type AskService, createLiveAnswers } from './live-answers.js';
import type { LiveEnvironment, LiveSettings } from './settings.js';

const STATES = ['fresh', 'stale', 'missing'];

/** Shortest interval between warnings about failures, in milliseconds. */
const FAILURE_INTERVAL = 60_000;

/** Shortest interval between warnings about products that lost their reviews, in milliseconds: an hour. */
const VANISHED_INTERVAL = 3_600_000;

/**
 * The reviews for pages rendered on demand. They are fetched from the service in this process, and remembered for a while.
 * It uses no Node API. Address, website ID and token are looked up when a page first asks.
 */
export function createLiveSource(settings: LiveSettings, environment: LiveEnvironment): ReviewSource {
	const { getSecret, provider, warn: write = (line) => console.warn(line) } = environment;
	const warn = (message: string) => write(`[${INTEGRATION_NAME}] ${message}`);
	const warnOfFailure = createThrottle(FAILURE_INTERVAL, warn);
	const warnOfVanished = createThrottle(VANISHED_INTERVAL, warn);
	const addresses = {
		baseUrl: () => baseUrlOf(settings.baseUrl, readAll(getSecret)),
		wsid: () => settings.wsid ?? getSecret(ENVIRONMENT.wsid)?.trim(),
	};
	const { ask, hasAnswered } = createService(settings, environment, addresses);
	const within = 'in the environment of the server';
	const advise = createAdvice({
		sendTokenForReviews: settings.throttle.sendTokenForReviews,
		credentials: () => {
			if (provider) return undefined;
			const token = getSecret(ENVIRONMENT.token) ? ENVIRONMENT.token : ENVIRONMENT.apiKey;
			const wsid = settings.wsid ? 'the option "wsid" of productReviews()' : `${ENVIRONMENT.wsid} ${within}`;
			return { wsid: addresses.wsid() ?? '', origins: { wsid, token: `${token} ${within}` } };
		},
		hasAnswered,
	});
	const storage = createStorage(settings, environment, addresses, warn, (changed) => outdate(changed));
	const { reviews, reviewData, stars } = createLiveAnswers(ask, {
		...settings.onDemand,
		staleIfError: settings.staleIfError,
		storage,
		onFailure(pid, error) {
			// Said for all of them together.
			if (kindOf(error) === 'vanished') return;
			warnOfFailure(() => {
				const why = [describeFailure(error), advise([{ pid, error }])].filter(Boolean).join(' ');
				return `The service failed for the product ${nameProduct(pid)}; what was shown last or nothing is shown. ${why} [${codeOf(error)}]`;
			});
		},
		onVanished: (lost, products) => warnOfVanished(() => describeVanished(lost, products)),
	});
	const all = [reviews, reviewData, stars];
	const outdate = (pids: readonly string[] | 'all') => {
		for (const memory of all) memory.outdate(pids);
	};
	const hasRatings = () =>
		provider
			? provider.ratings !== undefined
			: Boolean(getSecret(ENVIRONMENT.token) || getSecret(ENVIRONMENT.apiKey)?.trim());
	const memories = { reviews, 'review-data': reviewData };

	return {
		async getProductReviews(pid) {
			await storage()?.poll();
			return reviews.load(pid);
		},
		async getReviewData(pid) {
			await storage()?.poll();
			return reviewData.load(pid);
		},
		async getStarRating(pid) {
			await storage()?.poll();
			if (!hasRatings()) return (await reviews.load(pid))?.aggregate;
			const fresh = () => all.find((memory) => memory.freshness(pid).state === 'fresh');
			// What else the page shows of the product may bring its rating.
			if (!fresh()) await new Promise((resolve) => setTimeout(resolve));
			const from = fresh() ?? all.find((memory) => memory.isRequested(pid)) ?? stars;
			const value = await from.load(pid);
			return (value ?? stars.peek(pid) ?? reviews.peek(pid) ?? reviewData.peek(pid))?.aggregate;
		},
		// Pages rendered on demand have no cache key.
		digestOf: async () => 'none',
		place() {},
		freshness(resource, pid) {
			if (resource !== 'rating') return memories[resource].freshness(pid);
			if (!hasRatings()) return reviews.freshness(pid);
			// Stars are shown of what is freshest.
			const known = all.map((memory) => memory.freshness(pid));
			const best = STATES.find((state) => known.some((one) => one.state === state));
			return known.find(({ state }) => state === best) as Freshness;
		},
		async forget(pids) {
			outdate(pids ?? 'all');
			return (await storage()?.outdate(pids)) ?? settings.storage === undefined;
		},
	};
}

/** Says something now and then: a service that is down would fill the log. */
function createThrottle(interval: number, warn: (message: string) => void) {
	let warnedAt = Number.NEGATIVE_INFINITY;
	return (describe: () => string): void => {
		if (performance.now() - warnedAt < interval) return;
		warnedAt = performance.now();
		warn(describe());
	};
}

/** What a page needs first; looked up when it asks, since the environment may not be there before. */
interface Addresses {
	readonly baseUrl: () => BaseUrl | undefined;
	readonly wsid: () => string | undefined;
}

/** The variables that a server reads. */
function readAll(getSecret: LiveEnvironment['getSecret']): Record<string, string | undefined> {
	return Object.fromEntries(Object.values(ENVIRONMENT).map((name) => [name, getSecret(name)]));
}

/** Lets other pages come in between: reading an answer may take a while. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/** What asks is made when the first page does. */
function createService(
	settings: LiveSettings,
	{ getSecret, fetch, provider }: LiveEnvironment,
	addresses: Addresses,
) {
	let asked: ProviderCalls | undefined;
	let hasAnswered = false;
	const lacking = (name: keyof Addresses): never => {
		throw new ProductReviewsConfigurationError(
			'PR_NOT_CONFIGURED',
			`${ENVIRONMENT[name]} is not set in the environment of the server.`,
			'Set it where the server runs, or set the option of productReviews().',
		);
	};
	const connect = (): ProviderCalls => {
		const throttle = { ...settings.throttle, maxPause: LONGEST_PAUSE };
		if (provider) {
			assertProvider(provider);
			return createProviderCalls(provider, { ...throttle, env: getSecret, pause });
		}
		const baseUrl = addresses.baseUrl() ?? lacking('baseUrl');
		const findToken = () => tokenOf(settings.throttle, readAll(getSecret), baseUrl);
		const token = findToken();
		const client = createReviewsClient({
			...throttle,
			baseUrl,
			wsid: addresses.wsid() || lacking('wsid'),
			// Looked up again when the service refuses it.
			token: token && ((refused) => (findToken() ?? token)(refused)),
			fetch,
		});
		return createHostedCalls(client, pause);
	};
	const ask: AskService = async (request) => {
		asked ??= connect();
		const answer = await request(asked);
		hasAnswered = true;
		return answer;
	};
	return { ask, hasAnswered: () => hasAnswered };
}

/** The shared storage is opened when the first page asks, too. Without the address of the service, there is nothing to share. */
function createStorage(
	settings: LiveSettings,
	{ getSecret, storage: modules, provider }: LiveEnvironment,
	addresses: Addresses,
	warn: (message: string) => void,
	onChange: (changed: readonly string[] | 'all') => void,
): () => SharedStorage | undefined {
	let storage: SharedStorage | undefined;
	return () => {
		if (storage || !settings.storage || !modules) return storage;
		const [baseUrl, wsid] = [addresses.baseUrl(), addresses.wsid()];
		const hosted = baseUrl && wsid ? accountOf(baseUrl, wsid) : undefined;
		const account = provider ? settings.account : hosted;
		if (account === undefined) return undefined;
		const { config } = settings.storage;
		const open = () =>
			modules.createDriver({ ...config, ...readStorageConfig(getSecret(ENVIRONMENT.storageConfig)) });
		storage = new modules.SharedStorage({ account, open, warn, onChange });
		return storage;
	};
}
