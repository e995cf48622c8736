import { codeOf, kindOf } from '../base/failures.js';
import { amount, count, nameProducts, size } from '../base/words.js';
import { CacheFile } from '../cache/cache-file.js';
import { ProductStore } from '../cache/product-store.js';
import { ProductReviewsError } from '../errors.js';
import type { ProductReviewsOptions, ProductSource } from '../options/schema.js';
import { hasRatings, isProvider, type SiteConnection, startService } from '../providers/load-provider.js';
import type { RequestFacts } from '../providers/review-fetcher.js';
import { type Advise, createAdvice } from '../reviews/describe-failures.js';
import { FEW_UNUSABLE, judgeFailures, UNUSABLE } from '../reviews/failure-policy.js';
import { checkAhead, Revalidation } from '../reviews/freshness.js';
import {
	addRequest,
	answersIn,
	createProductResults,
	type Failure,
	type ProductResults,
	productsIn,
	RequestCounts,
} from '../reviews/results.js';
import type { ChangedProducts } from './changed-products.js';
import { createResources } from './create-resources.js';
import type { BuildSharing } from './open-shared.js';
import { openProductList, prefetch } from './product-list.js';
import type { Logger } from './run-context.js';

export interface ReviewsContext {
	readonly command: 'build' | 'dev';
	readonly options: ProductReviewsOptions;
	readonly connection: SiteConnection;
	readonly cacheFile: string;
	/** The cache, if it is open. @default it is opened, or made */
	readonly cache?: CacheFile;
	/** `true` to write nothing into the cache. */
	readonly isDryRun?: boolean;
	/** @default the products that pages ask for */
	readonly products?: ProductSource | undefined;
	readonly shared?: BuildSharing | undefined;
	/** Resource that is looked up there for the whole list. @default 'reviews' */
	readonly lookUp?: 'reviews' | 'reviewData';
	readonly changed?: ChangedProducts;
	/** Longest pause requested by the service that is honored, in milliseconds. @default a year */
	readonly maxPause?: number;
	/** Starts what requests products. @default a thread of its own, or the provider */
	readonly startService?: typeof startService;
	readonly onLength?: (length: number) => void;
	readonly onRequest?: (facts: RequestFacts) => void;
	readonly onFailure?: (failure: Failure, advise: Advise) => void;
	readonly logger: Logger;
}

export type OpenReviews = ReturnType<typeof openReviews>;

export function openReviews(context: ReviewsContext) {
	const { command, options, connection, products, changed, shared, maxPause, logger } = context;
	const warn = (message: string) => logger.warn(message);
	const isDev = command === 'dev';
	const outcomes = createProductResults();
	const requests = new RequestCounts();
	const isLogged = options.logRequests === true || options.logRequests === command;
	const service = (context.startService ?? startService)(connection, options, {
		...(maxPause !== undefined && { maxPause }),
		revisionOf: (pid) => store.markOf(pid).revision,
		warn,
		onRequest(facts) {
			requests.add(facts);
			addRequest(outcomes, facts);
			context.onRequest?.(facts);
			if (isLogged) logger.info(describeRequest(facts));
		},
	});
	const cache = context.cache ?? CacheFile.forBuild(context.cacheFile, warn);
	const store = new ProductStore(cache, connection.account, context.isDryRun);
	const list = products && openProductList(products, context.onLength, warn);
	const lookUp = (pids: readonly string[]) => resources[context.lookUp ?? 'reviews'].lookUp(pids);
	const advise = createAdvice({
		...options,
		credentials: () => (isProvider(connection) ? undefined : connection),
		hasAnswered: () => answersIn(outcomes) > 0,
	});
	// A dev server requests what pages show, so only age counts: the option is about builds and lists.
	const revalidate = isDev && !products ? 'age' : options.revalidate;
	const revalidation = new Revalidation({
		advise,
		mode: changed?.all ? 'always' : (revalidate ?? (hasRatings(connection) ? 'ratings' : 'age')),
		maxAge: options.maxAge,
		// What comes from others is looked up before ratings are compared, like what was stored before.
		products: list && shared ? checkAhead(list.products, lookUp, 1).products : list?.products,
		service,
		store,
		warn,
	});
	store.mark(changed?.pids ?? [], 'event');
	const resources = createResources({
		command,
		options,
		service,
		store,
		outcomes,
		hasRatings: hasRatings(connection),
		hasList: list !== undefined,
		revalidation,
		shared,
		onFailure: (failure) => context.onFailure?.(failure, advise),
		advise,
	});
	/** Takes the products of the list one after the other, and some at a time. Without a list, there are none. */
	const readList = async (
		refresh: (pid: string) => Promise<void>,
		onDone: () => void = () => {},
		lookahead = LOOKAHEAD,
	) => {
		const listed = revalidation.products;
		const ordered = listed && (shared?.order(listed) ?? listed);
		if (ordered) await prefetch(ordered, shared?.lookahead ?? lookahead, refresh, onDone);
	};
	const assertWhole = () => {
		const { ending } = judgeFailures(outcomes, options.onError);
		if (ending.length > 0) throw unavailable(ending, outcomes, advise(ending));
	};
	return {
		...resources,
		service,
		cache,
		store,
		list,
		readList,
		revalidation,
		outcomes,
		requests,
		advise,
		assertWhole,
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
	const answer = `${status ?? (code ? 'no answer' : 'answered')} in ${amount(Math.round(durationMs))} ms`;
	const parts = [answer, size(bytes), `try ${attempt}`].join(', ');
	return `${method} ${url} ${nameProducts(pids, MOST_NAMED)}: ${parts}${code ? ` [${code}]` : ''}`;
}

/** Ids listed when a build fails: all of them, unless it is a whole catalog. */
const MOST_LISTED = 1_000;

const ANSWERS = 'Build again when the service works.';

const FOREIGN =
	'The answers are not from the review service. Check the option "baseUrl" (or REVIEWS_BASE_URL), and build again when the service works.';

const CHANGED = `Up to ${FEW_UNUSABLE.products} such products, or ${FEW_UNUSABLE.share * 100} % of all, would be left out. So many mean that this is a different service, or a new version of it: look for a new version of astro-product-reviews.`;

/** The error that fails a build because products have no reviews. It lists all of these products. */
function unavailable(
	ending: readonly Failure[],
	outcomes: ProductResults,
	advice: string | undefined,
): ProductReviewsError {
	const pids = [...new Set(ending.map(({ pid }) => pid))];
	const kinds = new Set(ending.map(({ error }) => kindOf(error)));
	const areUnusable = [...kinds].every((kind) => UNUSABLE.has(kind));
	const known = kinds.has('foreign-answer') ? FOREIGN : CHANGED;
	const fact = areUnusable
		? `The answers for ${amount(pids.length)} of ${count(productsIn(outcomes), 'product')} cannot be used`
		: `The service failed for ${count(pids.length, 'product')}`;
	return new ProductReviewsError(
		'PR_REVIEWS_UNAVAILABLE',
		`${fact}, and the cache has no reviews to use instead: ${nameProducts(pids, MOST_LISTED)}.\nFirst reason: ${ending[0]?.reason} [${codeOf(ending[0]?.error)}]`,
		`${areUnusable ? known : (advice ?? ANSWERS)} To build without these reviews, set the option "onError" of productReviews() to "omit".`,
		{ cause: ending[0]?.error },
	);
}
