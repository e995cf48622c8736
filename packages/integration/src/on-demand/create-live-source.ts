import { ENVIRONMENT, INTEGRATION_NAME } from '../constants.js';
import { describeFailure } from '../failures/describe-failure.js';
import { type Advise, createAdvice, describeVanished } from '../failures/describe-failures.js';
import { codeOf, kindOf } from '../failures/policy.js';
import { accountOf, type Credentials } from '../options/connection.js';
import { readStorageConfig } from '../options/storage-config.js';
import type { Freshness, ReviewSource } from '../runtime/page-source.js';
import type { SharedStorage, StorageContext } from '../shared-storage/shared-storage.js';
import { nameProduct } from '../text/words.js';
import { createLiveService } from './create-live-service.js';
import { createLiveMemories, type LiveMemories } from './live-memories.js';
import type { LiveEnvironment, LiveMemoryContext, LiveSettings } from './live-memory.js';

/**
 * The reviews for pages rendered on demand. They are fetched from the service in this process, and remembered for a while.
 * It uses no Node API. Address, website id and token are looked up when a page first asks.
 */
export function createLiveSource(settings: LiveSettings, environment: LiveEnvironment): ReviewSource {
	const { onDemand, staleIfError } = settings;
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
		{ ...onDemand, staleIfError, now, monotonicNow, schedule, onFailure, onVanished },
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

/** Makes what a server remembers outdated. */
interface LiveChanges {
	/** Takes over what other instances said of changes; `undefined` if there are none. */
	readonly listen: (() => Promise<void>) | undefined;
	/**
	 * Forgets products, and tells the other instances.
	 * @param pids `undefined` for all products.
	 * @returns whether all of them can learn of it.
	 */
	forget(pids: readonly string[] | undefined): Promise<boolean>;
}

function createLiveChanges(
	memories: LiveMemories['all'],
	storage: Pick<SharedStorage, 'poll' | 'outdate'> | undefined,
): LiveChanges {
	const forgetHere = (pids: readonly string[] | undefined) => {
		for (const memory of memories) {
			if (pids) for (const pid of pids) memory.forget(pid);
			else memory.forgetAll();
		}
	};
	return {
		listen:
			storage &&
			(async () => {
				const changed = await storage.poll();
				if (changed === 'unsure') for (const memory of memories) memory.doubtAll();
				else forgetHere(changed === 'all' ? undefined : changed);
			}),
		async forget(pids) {
			forgetHere(pids);
			return (await storage?.outdate(pids)) ?? true;
		},
	};
}

/** Shortest interval between warnings about failures, in milliseconds. */
const FAILURE_INTERVAL = 60_000;

/** Shortest interval between warnings about products that lost their reviews, in milliseconds: an hour. */
const VANISHED_INTERVAL = 3_600_000;

/** Warns of failures, now and then: a service that is down would fill the log. */
function createWarnings(
	advise: Advise,
	monotonicNow: () => number,
	warn: (message: string) => void,
): Pick<LiveMemoryContext<unknown, unknown>, 'onFailure' | 'onVanished'> {
	const everySoOften = (interval: number) => {
		let warnedAt = Number.NEGATIVE_INFINITY;
		return (describe: () => string): void => {
			if (monotonicNow() - warnedAt < interval) return;
			warnedAt = monotonicNow();
			warn(`[astro-product-reviews] ${describe()}`);
		};
	};
	const warnOfFailure = everySoOften(FAILURE_INTERVAL);
	const warnOfVanished = everySoOften(VANISHED_INTERVAL);
	return {
		onFailure(pid, error) {
			// Said for all of them together.
			if (kindOf(error) === 'vanished') return;
			warnOfFailure(() => {
				const why = [describeFailure(error), advise([{ pid, error }])].filter(Boolean).join(' ');
				return `The service failed for the product ${nameProduct(pid)}; what was shown last or nothing is shown. ${why} [${codeOf(error)}]`;
			});
		},
		onVanished: (lost, products) => warnOfVanished(() => describeVanished(lost, products)),
	};
}

type Context = Pick<LiveEnvironment, 'getSecret' | 'storage'> & Omit<StorageContext, 'account' | 'open'>;

/**
 * The shared storage of a server; `undefined` without the option `storage`. It is opened when the first page asks: before
 * that, the environment may not be there.
 */
function createLiveStorage(settings: LiveSettings, context: Context): SharedStorage | undefined {
	const { getSecret, storage: modules } = context;
	if (!settings.storage || !modules) return undefined;
	const { config } = settings.storage;
	let opened: SharedStorage | undefined;
	const open = (): SharedStorage => {
		const baseUrl = settings.baseUrl ?? getSecret(ENVIRONMENT.baseUrl)?.trim();
		const wsid = settings.wsid ?? getSecret(ENVIRONMENT.wsid)?.trim();
		// Without them, no page gets an answer that could be shared.
		if (!baseUrl || !wsid) return NO_STORAGE;
		opened = modules.openSharedStorage({
			...context,
			account: accountOf(baseUrl, wsid),
			open: () =>
				modules.createDriver({ ...config, ...readStorageConfig(getSecret(ENVIRONMENT.storageConfig)) }),
		});
		return opened;
	};
	const storage = () => opened ?? open();
	return {
		read: (kind, pids) => storage().read(kind, pids),
		write: (entries) => storage().write(entries),
		outdate: (pids) => storage().outdate(pids),
		poll: () => storage().poll(),
		lock: (...args) => storage().lock(...args),
		now: () => storage().now(),
		close: () => storage().close(),
	};
}

const NO_STORAGE: SharedStorage = {
	read: async () => new Map(),
	write: async () => false,
	outdate: async () => false,
	poll: async () => [],
	lock: async () => async () => {},
	now: Date.now,
	close: async () => {},
};
