import { setImmediate } from 'node:timers/promises';
import { codeOf, kindOf } from '../base/failures.js';
import { amount, count, nameProducts, size } from '../base/words.js';
import { CacheFile } from '../cache/cache-file.js';
import { ProductStore } from '../cache/product-store.js';
import { ProductReviewsError } from '../errors.js';
import type { FetchOptions, ProductSource } from '../options/schema.js';
import type { createHostedFetcher } from '../providers/hosted-fetcher.js';
import { hasRatings, isProvider, type SiteConnection, startService } from '../providers/load-provider.js';
import type { RequestFacts, ReviewFetcher } from '../providers/review-fetcher.js';
import { optionsOfShipped } from '../providers/shipped/index.js';
import type { Part, Resource } from '../records/parts.js';
import type { FragmentSettings } from '../render/fragment.js';
import { createAdvice, isOfProvider } from '../reviews/describe-failures.js';
import {
	FEW_UNUSABLE,
	FetchPolicy,
	judgeFailures,
	type PolicyContext,
	UNUSABLE,
} from '../reviews/fetch-policy.js';
import { checkAhead, DEFAULT_MAX_AGE, Revalidation } from '../reviews/freshness.js';
import { collectRatings, ReviewRepository } from '../reviews/repository.js';
import {
	type Advise,
	addRequest,
	answersIn,
	createProductResults,
	type Failure,
	type ProductResults,
	productsIn,
	RequestCounts,
} from '../reviews/results.js';
import { BuildGuard } from '../reviews/vanish-guard.js';
import type { ChangedProducts } from './changed-products.js';
import type { Logger } from './log-lines.js';
import { type BuildSharing, broadcastChanges, type StorageContext, shareWithOthers } from './open-shared.js';
import { openProductList, prefetch } from './product-list.js';

/** A site of this machine: its options, and where the service and the cache are. */
export interface SiteContext {
	readonly options: FetchOptions;
	readonly connection: SiteConnection;
	readonly cacheFile: string;
	readonly settings: FragmentSettings;
	/** The shared storage. @default nothing is shared */
	readonly storage?: StorageContext | undefined;
}

export interface ReviewsContext extends Omit<SiteContext, 'settings'> {
	readonly command: 'build' | 'dev';
	/** The cache, if it is open. @default it is opened, or made, and written each second */
	readonly cache?: CacheFile;
	/** `true` to write nothing into the cache. */
	readonly isDryRun?: boolean;
	/** @default the products that pages ask for */
	readonly products?: ProductSource | undefined;
	/** Returns the products that are fetched ahead where there is no list. @default none is */
	readonly expected?: (cache: CacheFile) => readonly string[];
	/** Repository whose shared answers are looked up for the whole list. @default 'reviews' */
	readonly lookUp?: 'reviews' | 'reviewData';
	readonly changed?: ChangedProducts;
	/** Longest pause requested by the service that is honored, in milliseconds. @default a year */
	readonly maxPause?: number;
	/** Fetches from the hosted service. @default a thread of its own does */
	readonly fetchHere?: typeof createHostedFetcher | undefined;
	readonly onLength?: (length: number) => void;
	readonly onRequest?: (facts: RequestFacts) => void;
	readonly onFailure?: (failure: Failure, advise: Advise) => void;
	readonly logger: Logger;
}

export type OpenReviews = Awaited<ReturnType<typeof openReviews>>;

/** Opens the reviews of a site for a build, a dev server or a command. Whoever opens them closes them. */
export async function openReviews(context: ReviewsContext) {
	const shared = await shareWithOthers(context);
	try {
		return openWith(shared, context);
	} catch (error) {
		await shared?.close();
		throw error;
	}
}

function openWith(shared: BuildSharing | undefined, context: ReviewsContext) {
	const { command, options, connection, changed, maxPause, logger } = context;
	const warn = (message: string) => logger.warn(message);
	const results = createProductResults();
	const requests = new RequestCounts();
	const isLogged = options.logRequests === true || options.logRequests === command;
	const service = startService(connection, options, {
		...(maxPause !== undefined && { maxPause }),
		fetchHere: context.fetchHere,
		revisionOf: (pid) => store.markOf(pid).revision,
		warn,
		onRequest(facts) {
			requests.add(facts);
			addRequest(results, facts);
			context.onRequest?.(facts);
			if (isLogged) logger.info(describeRequest(facts));
		},
	});
	const cache = context.cache ?? CacheFile.forBuild(context.cacheFile, warn);
	const store = new ProductStore(cache, connection.account, context.isDryRun);
	const stopWriting = context.cache ? () => {} : writeRegularly(store);
	const expected = context.products ? [] : (context.expected?.(cache) ?? []);
	const products = expected.length > 0 ? expected : context.products;
	const list = products && openProductList(products, context.onLength, warn);
	const lookUp = (pids: readonly string[]) => repositories[context.lookUp ?? 'reviews'].lookUp(pids);
	const advise = createAdvice({
		...options,
		credentials: () => (isProvider(connection) ? undefined : connection),
		shipped: isProvider(connection) ? optionsOfShipped(connection.module) : undefined,
		hasAnswered: () => answersIn(results) > 0,
	});
	// A dev server requests what pages show, so only age counts: the option is about builds and lists.
	const revalidate = command === 'dev' && !products ? 'age' : options.revalidate;
	const revalidation = new Revalidation({
		advise,
		mode: changed?.all ? 'always' : (revalidate ?? defaultMode(context)),
		maxAge: options.maxAge,
		// What comes from others is looked up before ratings are compared, like what was stored before.
		products: list && shared ? checkAhead(list.products, lookUp, 1).products : list?.products,
		service,
		store,
		warn,
	});
	store.mark(changed?.pids ?? [], 'event');
	const repositories = createRepositories({
		...{ command, options, service, store, results, revalidation, shared, advise },
		hasRatings: hasRatings(connection),
		listed: list?.seen,
		onFailure: (failure) => context.onFailure?.(failure, advise),
	});
	return {
		...repositories,
		service,
		cache,
		store,
		list,
		revalidation,
		results,
		requests,
		advise,
		/** Takes the products of the list one after the other, and some at a time. Without a list, there are none. */
		async readList(refresh: (pid: string) => Promise<void>, lookahead = LOOKAHEAD): Promise<void> {
			const listed = revalidation.products;
			const ordered = listed && (shared?.order(listed) ?? listed);
			if (ordered) await prefetch(ordered, shared?.lookahead ?? lookahead, refresh);
		},
		assertWhole(): void {
			const { ending } = judgeFailures(results, options.onError);
			if (ending.length > 0) throw unavailable(ending, results, advise(ending));
		},
		/** Tells other builders and servers what changed. */
		async broadcast(given: ChangedProducts): Promise<void> {
			if (shared) await broadcastChanges(shared, store, given);
		},
		/** Ends the requests, and waits until others have their answers. What is stored can still be read. */
		async end(): Promise<void> {
			await service.close();
			await shared?.end();
		},
		/** Closes everything, also if it has not ended. Doing it again does nothing. */
		async close(): Promise<void> {
			await service.close();
			await shared?.close();
			stopWriting();
			store.close();
		},
	};
}

/** Asks for each product if nothing says which changed and ratings cannot be compared: most answers are that it has not. */
function defaultMode({ connection, options, changed }: ReviewsContext) {
	if (hasRatings(connection)) return 'ratings';
	return changed?.isUntold && options.maxAge === undefined ? 'always' : 'age';
}

/** In milliseconds. */
const WRITE_INTERVAL = 1_000;

/** Writes what was fetched once a second, and when the process ends, so that little is lost. @returns what stops it */
function writeRegularly(store: ProductStore): () => void {
	const close = () => store.close();
	const timer = setInterval(() => store.flush(), WRITE_INTERVAL).unref();
	process.once('exit', close);
	return () => {
		clearInterval(timer);
		process.off('exit', close);
	};
}

export interface RepositoriesContext extends PolicyContext {
	readonly options: Pick<FetchOptions, 'maxAge' | 'staleIfError' | 'onError'>;
	readonly service: ReviewFetcher;
	readonly results: ProductResults;
	/** `true` if ratings can be requested in lists: the hosted service needs a token for it. */
	readonly hasRatings: boolean;
	/** Products that are requested before pages need to know which of them lost their reviews. @default none is */
	readonly listed: ReadonlyMap<string, number> | undefined;
	readonly revalidation: Pick<Revalidation, 'checked' | 'maxAge'>;
	readonly shared?: BuildSharing | undefined;
}

/** Creates a repository for each part that pages can ask for. */
export function createRepositories(context: RepositoriesContext) {
	const { options, service, store, results, hasRatings, listed, command, revalidation, shared } = context;
	const nextTurn = () => setImmediate();
	const contextOf = <Of extends Part>(
		part: Of,
		maxAge: (pid: string) => number,
		checked?: Promise<unknown>,
	) => {
		const policy = new FetchPolicy(context, maxAge);
		const waits = part === 'reviews' && command === 'build' && listed !== undefined;
		return {
			part,
			policy,
			results: results[part],
			checked,
			nextTurn,
			guard: new BuildGuard({ seen: () => results[part].keys(), store, part, waits }),
			shared: shared?.sharingOf({ part, policy, checked, nextTurn, sharesEmpty: true }),
		};
	};
	// Ratings are compared for products of the list alone, so what is known of others expires sooner.
	const maxAgeOfOthers = () => Math.min(revalidation.maxAge, options.maxAge ?? DEFAULT_MAX_AGE);
	const maxAgeOf = (pid: string) => (listed?.has(pid) ? revalidation.maxAge : maxAgeOfOthers());
	const createRepository = <Of extends Resource>(part: Of) => {
		const parts = contextOf(part, maxAgeOf, revalidation.checked);
		const repository = new ReviewRepository<Of>({
			...parts,
			prioritize: (pid) => service.prioritize(part, pid),
			fetch: (pid, validators) => service.fetch(part, pid, validators),
		});
		return { repository, guard: parts.guard };
	};
	const { repository: reviews, guard } = createRepository('reviews');
	return {
		reviews,
		reviewData: createRepository('review-data').repository,
		/** `undefined` if they cannot be requested in lists. */
		ratings: hasRatings
			? new ReviewRepository<'rating'>({
					...contextOf('rating', maxAgeOfOthers),
					// Of products whose reviews are not needed. Those requested in the same turn share a request.
					fetch: collectRatings((pids) => service.fetchRatings(pids), nextTurn),
				})
			: undefined,
		/** Decides, after the last product, whether to believe that products have lost all their reviews. */
		async judgeVanished(): Promise<void> {
			guard.decide();
			await setImmediate();
		},
	};
}

/** Products queued on the service's thread, enough for it to continue for seconds while this thread is busy. */
const LOOKAHEAD = 256;

/** Products named in a line; the rest are counted. */
const MOST_NAMED = 5;

/**
 * One request for the log, without a secret.
 * @example 'GET https://reviews.example/path "p-1": 200 in 34 ms, 12.3 KB, try 1'
 */
export function describeRequest(facts: RequestFacts): string {
	const { method, url, pids, attempt, status, durationMs, bytes, code } = facts;
	const answer = `${status ?? (code ? 'no response' : 'responded')} in ${amount(Math.round(durationMs))} ms`;
	const parts = [answer, size(bytes), `try ${attempt}`].join(', ');
	const products = pids.length === 0 ? 'all products' : nameProducts(pids, MOST_NAMED);
	return `${method} ${url} ${products}: ${parts}${code ? ` [${code}]` : ''}`;
}

/** Ids listed when a build fails: all of them, unless it is a whole catalog. */
const MOST_LISTED = 1_000;

const FOREIGN =
	'The responses are not from the review service. Check the option "baseUrl" (or REVIEWS_BASE_URL), and build again when the service works.';

const CHANGED = `Up to ${FEW_UNUSABLE.products} such products, or ${FEW_UNUSABLE.share * 100} % of all, would be left out. So many mean that this is a different service, or a new version of it: look for a new version of astro-product-reviews.`;

/** The error that fails a build because products have no reviews. It lists all of these products. */
function unavailable(ending: readonly Failure[], results: ProductResults, advice: string | undefined) {
	const pids = [...new Set(ending.map(({ pid }) => pid))];
	const kinds = new Set(ending.map(({ error }) => kindOf(error)));
	const areUnusable = [...kinds].every((kind) => UNUSABLE.has(kind));
	const known = kinds.has('foreign-answer') ? FOREIGN : CHANGED;
	const [failing, next] = isOfProvider(ending)
		? ['The provider', 'Fix the provider, or the source of its reviews, and build again.']
		: ['The service', 'Build again when the service works.'];
	const fact = areUnusable
		? `The responses for ${amount(pids.length)} of ${count(productsIn(results), 'product')} cannot be used`
		: `${failing} failed for ${count(pids.length, 'product')}`;
	return new ProductReviewsError(
		'PR_REVIEWS_UNAVAILABLE',
		`${fact}, and the cache has no reviews to use instead: ${nameProducts(pids, MOST_LISTED)}.\nFirst reason: ${ending[0]?.reason} [${codeOf(ending[0]?.error)}]`,
		`${areUnusable ? known : (advice ?? next)} To build without these reviews, set the option "onError" of productReviews() to "omit".`,
		{ cause: ending[0]?.error },
	);
}
