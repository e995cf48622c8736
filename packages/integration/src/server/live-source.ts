import { createReviewsClient } from 'product-reviews-client';
import type { Priority } from 'product-reviews-client/sender';
import type { Driver } from 'unstorage';
import { createThrottle } from '../base/async.js';
import { codeOf, describeFailure, kindOf } from '../base/failures.js';
import { nameProduct } from '../base/words.js';
import { ENVIRONMENT, INTEGRATION_NAME, LONGEST_PAUSE } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import {
	accountOf,
	baseUrlOf,
	readStorageConfig,
	type throttleOf,
	tokenOf,
	urlOriginsOf,
} from '../options/connection.js';
import { createProvider, type ProviderModule, type ReviewProvider } from '../options/provider.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { StorageOptions } from '../options/storage.js';
import type { Freshness, ReviewSource } from '../pages/page-source.js';
import { createHostedCalls } from '../providers/hosted-reviews.js';
import { createProviderCalls } from '../providers/provider-call.js';
import type { ProviderCalls } from '../providers/review-fetcher.js';
import { PARTS, type Part, type Records } from '../records/parts.js';
import { type AggregateRating, usableAggregate } from '../records/rating.js';
import { createAdvice, describeVanished } from '../reviews/describe-failures.js';
import { FetchPolicy, type PolicyContext } from '../reviews/fetch-policy.js';
import { MemoryStore } from '../reviews/memory-store.js';
import { collectRatings, type RepositoryContext, ReviewRepository } from '../reviews/repository.js';
import type { Failure } from '../reviews/results.js';
import { SharedAnswers } from '../reviews/shared-answers.js';
import type { SharedStorage } from '../reviews/shared-storage.js';
import { ServerGuard } from '../reviews/vanish-guard.js';
import { BoundedWait } from './bounded-wait.js';

const STATES = ['fresh', 'stale', 'missing'];

/**
 * Settings in the server's bundle. They do not include the token, which is only in the environment of the server, and address
 * and website ID only if they are not there. Durations are in milliseconds.
 */
export interface LiveSettings {
	readonly baseUrl: ProductReviewsOptions['baseUrl'];
	readonly wsid: string | undefined;
	/** The account of a provider. That of the hosted service is known where the server runs. */
	readonly account?: string | undefined;
	readonly throttle: ReturnType<typeof throttleOf>;
	readonly staleIfError: number;
	readonly onDemand: ProductReviewsOptions['onDemand'];
	readonly storage: { readonly config: StorageOptions['config'] } | undefined;
}

export interface LiveEnvironment {
	readonly getSecret: (name: string) => string | undefined;
	/** The code of the option `storage`, which only servers with that option contain. @default answers are not shared */
	readonly storage?:
		| {
				readonly SharedStorage: typeof SharedStorage;
				/** @throws Error if its configuration lacks something. */
				readonly createDriver: (config: Readonly<Record<string, unknown>>) => Driver;
		  }
		| undefined;
	/** Default export of the module of the option `provider`. @default the hosted service */
	readonly provider?: { readonly exported: unknown; readonly config?: ProviderModule['config'] } | undefined;
	readonly fetch?: typeof globalThis.fetch | undefined;
	readonly warn?: (message: string) => void;
}

type AskService = <Answer>(request: (provider: ProviderCalls) => Promise<Answer>) => Promise<Answer>;

/** Where the variables of a server are set. */
const PLACE = 'in the environment of the server';

/** Shortest interval between warnings about failures, in milliseconds. */
const FAILURE_INTERVAL = 60_000;

/** Shortest interval between warnings about products that lost their reviews, in milliseconds: an hour. */
const VANISHED_INTERVAL = 3_600_000;

/**
 * The reviews for pages rendered on demand. They are fetched from the service in this process, and remembered for a while.
 * It uses no Node API. Address, website ID and token are looked up when a page first asks.
 */
export function createLiveSource(settings: LiveSettings, environment: LiveEnvironment): ReviewSource {
	const { getSecret, provider: given, warn: write = (line) => console.warn(line) } = environment;
	const warn = (message: string) => write(`[${INTEGRATION_NAME}] ${message}`);
	const warnOfFailure = createThrottle(FAILURE_INTERVAL, warn);
	const warnOfVanished = createThrottle(VANISHED_INTERVAL, warn);
	let made: ReviewProvider | undefined;
	const provider = given && (() => (made ??= createProvider(given.exported, given.config)));
	const { ask, storage, findWsid, hasAnswered } = connectLate(settings, environment, provider, warn);
	const advise = createAdvice({
		sendTokenForReviews: settings.throttle.sendTokenForReviews,
		credentials: () => {
			if (provider) return undefined;
			const token = getSecret(ENVIRONMENT.token) ? ENVIRONMENT.token : ENVIRONMENT.apiKey;
			const wsid = settings.wsid ? 'the option "wsid" of productReviews()' : `${ENVIRONMENT.wsid} ${PLACE}`;
			return { wsid: findWsid() ?? '', origins: { wsid, token: `${token} ${PLACE}` } };
		},
		hasAnswered,
	});
	const store = new MemoryStore(settings.onDemand.maxProducts);
	const { reviews, reviewData, stars } = createParts(ask, store, settings, {
		storage,
		onFailure({ pid, error }) {
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
	/** Learns of what changed elsewhere. Tokens of a product of which nothing is kept are read with what others have of it. */
	const check = (pid: string) => {
		const isKept = PARTS.some((part) => store.entry(pid, part));
		return isKept ? storage()?.check(pid) : storage()?.poll();
	};
	const hasRatings = () => {
		if (!provider) return Boolean(getSecret(ENVIRONMENT.token) || getSecret(ENVIRONMENT.apiKey)?.trim());
		try {
			return provider().ratings !== undefined;
		} catch {
			// Whoever asks for the reviews says that it is none.
			return false;
		}
	};

	return {
		async getProductReviews(pid) {
			await check(pid);
			return reviews.load(pid);
		},
		async getReviewData(pid) {
			await check(pid);
			return reviewData.load(pid);
		},
		async getStarRating(pid) {
			await check(pid);
			if (!hasRatings()) return (await reviews.load(pid))?.aggregate;
			const fresh = () => all.find((part) => part.freshness(pid).state === 'fresh');
			// What else the page shows of the product may bring its rating.
			if (!fresh()) await nextTurn();
			const from = fresh() ?? all.find(({ repository }) => repository.isRequested(pid)) ?? stars;
			const peek = <Of extends Part>({ repository }: BoundedWait<Of>) => repository.peek(pid);
			const found = (await from.load(pid)) ?? peek(stars) ?? peek(reviews) ?? peek(reviewData);
			return found && aggregateOf(found);
		},
		// Pages rendered on demand have no cache key.
		digestOf: async () => 'none',
		place() {},
		freshness(resource, pid) {
			if (resource === 'review-data') return reviewData.freshness(pid);
			if (resource === 'reviews' || !hasRatings()) return reviews.freshness(pid);
			// Stars are shown of what is freshest.
			const known = all.map((part) => part.freshness(pid));
			return STATES.flatMap((state) => known.filter((one) => one.state === state))[0] as Freshness;
		},
		async forget(pids) {
			const changed = pids ?? 'all';
			store.mark(changed, 'event');
			for (const { repository } of all) repository.invalidate(changed);
			return (await storage()?.invalidate(pids)) ?? settings.storage === undefined;
		},
	};
}

interface PartsContext {
	readonly storage: () => SharedStorage | undefined;
	readonly onFailure: (failure: Failure) => void;
	readonly onVanished: (lost: ReadonlySet<string>, products: number) => void;
}

/** A turn of the event loop, as runtimes without Node have it. */
const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Pages wait for the storage: what they show is looked up together only if that costs no time. */
const sameTurn = async () => {};

/** Creates a repository for each part of products, and what limits how long pages wait for it. */
function createParts(
	ask: AskService,
	store: MemoryStore,
	settings: LiveSettings,
	{ storage, onFailure, onVanished }: PartsContext,
) {
	const { maxAge, staleWhileRevalidate } = settings.onDemand;
	const staleIfError = Math.max(settings.staleIfError, staleWhileRevalidate);
	const options = { staleIfError, onError: 'stale' } as const;
	const isChanged: PolicyContext['isChanged'] = (pid, { seen }) =>
		seen !== undefined && storage()?.isChanged(pid, seen) === true;
	const policy = new FetchPolicy({ command: 'server', options, store, isChanged, onFailure }, () => maxAge);
	const isKnown = (pid: string) => PARTS.some((part) => store.shows(pid, part));
	// Ids of which nothing is known must not hold up the others.
	const priorityOf = (pid: string): Priority => (isKnown(pid) ? 'normal' : 'low');
	const create = <Of extends Part>(part: Of, fetch: RepositoryContext<Of>['fetch']) => {
		const repository = new ReviewRepository<Of>({
			part,
			policy,
			nextTurn,
			guard: new ServerGuard({ store, part, onVanished }),
			shared: new SharedAnswers({ part, policy, nextTurn: sameTurn, sharesEmpty: false }, storage),
			fetch,
		});
		return new BoundedWait(repository, { ...settings.onDemand, store, isKnown });
	};
	// A single made-up id can make the service refuse a whole list.
	const collectWith = (priority: Priority) =>
		collectRatings((pids) => ask((provider) => provider.ratings(pids, { priority })), nextTurn);
	const ratingOf = { normal: collectWith('normal'), low: collectWith('low') };
	return {
		reviews: create('reviews', (pid, known) =>
			ask((provider) => provider.reviews(pid, { known, priority: priorityOf(pid) })),
		),
		reviewData: create('review-data', (pid) =>
			ask((provider) => provider.reviewData(pid, { priority: priorityOf(pid) })),
		),
		stars: create('rating', (pid) => ratingOf[priorityOf(pid)](pid)),
	};
}

function aggregateOf(record: Records[Part]): AggregateRating | undefined {
	return 'average' in record ? usableAggregate(record.count, record.average) : record.aggregate;
}

function readAll(getSecret: LiveEnvironment['getSecret']): Record<string, string | undefined> {
	return Object.fromEntries(Object.values(ENVIRONMENT).map((name) => [name, getSecret(name)]));
}

/**
 * Connects to the service or the provider, and to the shared storage, when the first page asks: what it needs may not be in the
 * environment before.
 */
function connectLate(
	settings: LiveSettings,
	{ getSecret, fetch, storage: modules }: LiveEnvironment,
	provider: (() => ReviewProvider) | undefined,
	warn: (message: string) => void,
) {
	let asked: ProviderCalls | undefined;
	let hasAnswered = false;
	let opened: SharedStorage | undefined;
	const findBaseUrl = () => baseUrlOf(settings.baseUrl, readAll(getSecret));
	const findWsid = () => settings.wsid ?? getSecret(ENVIRONMENT.wsid)?.trim();
	const lacking = (name: 'baseUrl' | 'wsid'): never => {
		throw new ProductReviewsConfigurationError(
			'PR_NOT_CONFIGURED',
			`${ENVIRONMENT[name]} is not set in the environment of the server.`,
			'Set it where the server runs, or set the option of productReviews().',
		);
	};
	const connect = (): ProviderCalls => {
		const throttle = { ...settings.throttle, maxPause: LONGEST_PAUSE };
		if (provider) return createProviderCalls(provider(), { ...throttle, env: getSecret, pause: nextTurn });
		const baseUrl = findBaseUrl() ?? lacking('baseUrl');
		const findToken = () => tokenOf(settings.throttle, readAll(getSecret), baseUrl);
		const token = findToken();
		const client = createReviewsClient({
			...throttle,
			baseUrl,
			urlOrigins: urlOriginsOf(baseUrl, settings.baseUrl, PLACE),
			wsid: findWsid() || lacking('wsid'),
			// Looked up again when the service refuses it.
			token: token && ((refused) => (findToken() ?? token)(refused)),
			fetch,
		});
		return createHostedCalls(client, nextTurn);
	};
	const ask: AskService = async (request) => {
		asked ??= connect();
		const answer = await request(asked);
		hasAnswered = true;
		return answer;
	};
	/** Returns the shared storage. Without the address of the service, there is nothing to share. */
	const storage = (): SharedStorage | undefined => {
		if (opened || !settings.storage || !modules) return opened;
		const [baseUrl, wsid] = [findBaseUrl(), findWsid()];
		const hosted = baseUrl && wsid ? accountOf(baseUrl, wsid) : undefined;
		const account = provider ? settings.account : hosted;
		if (account === undefined) return undefined;
		const { config } = settings.storage;
		const open = () =>
			modules.createDriver({ ...config, ...readStorageConfig(getSecret(ENVIRONMENT.storageConfig)) });
		opened = new modules.SharedStorage({ account, open, warn });
		return opened;
	};
	return { ask, storage, findWsid, hasAnswered: () => hasAnswered };
}
