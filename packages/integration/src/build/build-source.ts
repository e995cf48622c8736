import { setImmediate } from 'node:timers/promises';
import { createWriteAhead, type WriteAhead, type WriteAheadContext } from '../ahead/create-write-ahead.js';
import { createLoader, type LoaderContext } from '../cache/create-loader.js';
import { createStarLoader } from '../cache/create-star-loader.js';
import { revalidateByAge } from '../cache/revalidate-by-age.js';
import { DEFAULT_MAX_AGE, type RevalidatedList } from '../cache/start-revalidation.js';
import type { Advise } from '../failures/create-advice.js';
import { createLosses, type LossContext } from '../failures/create-losses.js';
import { holdsReviews } from '../failures/holds-reviews.js';
import { judgeFailures } from '../failures/judge-failures.js';
import { unavailable } from '../failures/unavailable.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { Failure, Tally } from '../outcomes/tally.js';
import type { Shown } from '../pages/page-keys.js';
import { dataDigest, partDigest, ratingPart } from '../pages/part-digest.js';
import { restoreRecord } from '../parse/condense-record.js';
import type { AggregateRating } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { DataFacet } from '../render/data-facet.js';
import type { Facet } from '../render/facet.js';
import type { ReviewSource } from '../runtime/sources.js';
import type { ReviewService } from '../service/review-service.js';
import { isConfirmedBy } from '../store/confirmed.js';
import { digestOf } from '../store/digest-of.js';
import { RESOURCES } from '../store/product-kinds.js';
import type { Resource, ReviewStore } from '../store/review-store.js';
import { followPages } from './follow-pages.js';
import { keepAlive } from './keep-alive.js';
import type { ProductOrder } from './open-product-list.js';

/** What a session works with. */
export interface SessionContext {
	readonly service: ReviewService;
	readonly store: ReviewStore;
	readonly options: ProductReviewsOptions;
	readonly tally: Tally;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Milliseconds of a clock that is never set. @default `now` */
	readonly monotonicNow?: (() => number) | undefined;
	/** `'build'` ends; `'dev'` goes on, so that what failed is asked for again and nothing ends it. */
	readonly command: 'build' | 'dev';
	readonly onFailure: (failure: Failure) => void;
	/** What to check where the service refuses products. @default nothing is said */
	readonly advise?: Advise;
	/** Which stored products are asked for again. @default those older than `maxAge` */
	readonly revalidation?: Pick<RevalidatedList, 'isOutdated' | 'checked' | 'maxAge'>;
	/** Is told what is placed on the page that is being rendered. @default nobody is */
	readonly place?: ReviewSource['place'];
	/** The product list, as far as it was read. Reviews of its products are fetched in any case. */
	readonly listed?: ProductOrder | undefined;
	/** Whether there is a token, which ratings in lists and review data need. */
	readonly hasToken?: boolean;
	/** Where blocks are written ahead of the pages. */
	readonly writeAhead?: WriteAheadContext | undefined;
	/** Is told what the page shows, where builds are incremental. */
	readonly show?: ((shown: Shown) => void) | undefined;
}

/** How long a dev server leaves a product alone that failed, in milliseconds. */
const DEV_FAILURE_MEMORY = 10_000;

/** The reviews of one build or one dev server: what pages ask, and what the prefetch fills. */
export interface ReviewSession extends ReviewSource {
	/** Makes sure that the reviews of a product are fresh in the store. */
	refresh(pid: string): Promise<void>;
	/** Whether something that a page showed is another now. */
	isChanged(shown: Shown): Promise<boolean>;
	/** Products that pages asked for, but for those that were in the product list by then. */
	readonly unlisted: ReadonlySet<string>;
	/** Ends the session for every page that asks from now on. */
	fail(error: unknown): void;
	/** No more products come: decides whether those that had reviews have none any more. */
	decideLosses(): Promise<void>;
	/** @throws ReviewsUnavailableError where `onError` asks for it, and what {@link ReviewSession.fail} was given. */
	assertWhole(): void;
}

export function createSession(context: SessionContext): ReviewSession {
	const { service, store, options, tally, now, command, onFailure, show, advise = () => undefined } = context;
	const { isOutdated, checked, maxAge } =
		context.revalidation ?? revalidateByAge({ maxAge: options.maxAge, service, store, now });
	const common = {
		// `'fail'` is about the end of a build; a dev server goes on with what is stored.
		policy: { maxStale: options.maxStale, maxAge, onError: command === 'dev' ? 'stale' : options.onError },
		isOutdated,
		now,
		monotonicNow: context.monotonicNow,
		startedAt: command === 'build' ? now() : Number.POSITIVE_INFINITY,
		failureMemory: command === 'build' ? Number.POSITIVE_INFINITY : DEV_FAILURE_MEMORY,
		onFailure,
		advise,
	} satisfies Partial<LoaderContext<unknown, unknown>>;
	const ahead: WriteAhead | undefined =
		context.writeAhead && createWriteAhead(context.writeAhead, (pid) => tally.outcomes.reviews.statusOf(pid));
	const marks = store.table('mark');
	const lossesOf = (kind: Resource | 'stars', parts: Pick<LossContext, 'seen' | 'waits'>) => {
		const table = store.table(kind);
		return createLosses({
			...parts,
			entry: table.entry,
			holdsReviews,
			isConfirmed: (pid, stored) => isConfirmedBy(marks.entry(pid), stored),
			// The next build is to ask for them again.
			onDoubt: (pid) => table.change(pid, { fetchedAt: 0 }),
		});
	};
	// Only reviews of the list are all asked for before pages have to know.
	const reviewLosses = lossesOf('reviews', {
		seen: tally.outcomes.reviews.keys,
		waits: command === 'build' && context.listed !== undefined,
	});
	const dataLosses = lossesOf('review-data', { seen: tally.outcomes['review-data'].keys, waits: false });
	const loaderOf = <Stored, Value>(resource: Resource, restore: (stored: Stored) => Value) =>
		createLoader<Stored, Value>({
			...common,
			losses: resource === 'reviews' ? reviewLosses : dataLosses,
			table: store.table(resource),
			restore,
			fetch: (pid, validators) =>
				ahead && resource === 'reviews'
					? ahead.fetch(pid, validators)
					: service.fetch(resource, pid, validators),
			hurry: (pid) => service.hurry(resource, pid),
			checked,
			tally,
			settled: tally.outcomes[resource].settle,
			// A build ends soon: what is current when it is looked at stays so.
			isSettled: (pid) => command === 'build' && tally.outcomes[resource].isSettled(pid),
		});
	const reviews = loaderOf('reviews', restoreRecord);
	const reviewData = loaderOf('review-data', (data: ReviewData) => data);
	const loaders = { reviews, 'review-data': reviewData };
	const starred = new Set<string>();
	const stars = context.hasToken
		? createStarLoader({
				...common,
				losses: lossesOf('stars', { seen: () => starred, waits: false }),
				service,
				store,
				// No check of the list says that the stars of a product outside of it moved.
				policy: { ...common.policy, maxAge: () => Math.min(maxAge(), options.maxAge ?? DEFAULT_MAX_AGE) },
				tally: { fetched: 0, dropped: [], failures: tally.starFailures },
			})
		: undefined;
	const follow =
		context.listed &&
		followPages({ order: context.listed, checked, refresh: (pid) => reviewData.refresh(pid) });
	const unlisted: Record<Resource, Set<string>> = { reviews: new Set(), 'review-data': new Set() };
	const noteAsked = (resource: Resource, pid: string) => {
		if (!context.listed?.has(pid)) unlisted[resource].add(pid);
	};
	/** What brings the rating of a product anyway, since it is stored, listed, or on a page. */
	const ratedBy = (pid: string): Resource | undefined => {
		if (context.listed?.has(pid)) return 'reviews';
		return RESOURCES.find((kind) => unlisted[kind].has(pid) || store.table(kind).entry(pid) !== undefined);
	};
	const readRating = (kind: Resource) => (pid: string) => {
		// The store proves what it gives.
		const { count, average } = JSON.parse(store.table(kind).entry(pid)?.summary ?? '{}');
		return { aggregate: count === undefined ? undefined : ({ count, average } as AggregateRating) };
	};
	let failure: { readonly error: unknown } | undefined;
	const assertGoing = () => {
		if (failure) throw failure.error;
	};

	const session: ReviewSession = {
		get unlisted() {
			const { reviews, 'review-data': data } = unlisted;
			return data.size === 0 ? reviews : new Set([...reviews, ...data]);
		},
		async getProductReviews(pid, facet = ALL) {
			assertGoing();
			noteAsked('reviews', pid);
			const value = await reviews.load(pid);
			show?.({
				resource: 'reviews',
				pid,
				digest: value && store.table('reviews').entry(pid)?.digest,
				parts: { [JSON.stringify(facet)]: partDigest(value, facet) },
			});
			return value;
		},
		async getStarRating(pid) {
			assertGoing();
			// What else the page shows of the product may bring its rating.
			if (stars && !ratedBy(pid)) await setImmediate();
			const resource = ratedBy(pid) ?? (stars ? 'stars' : 'reviews');
			if (resource === 'reviews') noteAsked('reviews', pid);
			if (resource === 'stars') starred.add(pid);
			const value =
				resource === 'stars'
					? await stars?.load(pid)
					: await loaders[resource].when(pid, readRating(resource));
			show?.({
				resource,
				pid,
				digest: value && store.table(resource).entry(pid)?.digest,
				parts: resource === 'stars' ? {} : ratingPart(resource, value),
			});
			return value?.aggregate;
		},
		async getBlock(pid, recipe) {
			if (!ahead) return undefined;
			assertGoing();
			noteAsked('reviews', pid);
			return reviews.when(pid, () => ahead.take(pid, recipe));
		},
		async getReviewData(pid, facet = ALL_DATA) {
			assertGoing();
			noteAsked('review-data', pid);
			follow?.(pid);
			const value = await reviewData.load(pid);
			show?.({
				resource: 'review-data',
				pid,
				digest: value && store.table('review-data').entry(pid)?.digest,
				parts: { [JSON.stringify(facet)]: dataDigest(value, facet) },
			});
			return value;
		},
		async digestOf(pids) {
			const digests = await Promise.all(
				pids.map(async (pid) => {
					// Where no page ever asked for review data, it does not count.
					const hasData = store.table('review-data').entry(pid) !== undefined;
					return Promise.all([reviews.digest(pid), ...(hasData ? [reviewData.digest(pid)] : [])]);
				}),
			);
			return digestOf(JSON.stringify(digests.flat()));
		},
		async isChanged({ resource, pid, digest, parts }) {
			if (resource === 'stars') return (await stars?.digest(pid)) !== digest;
			if ((await loaders[resource].digest(pid)) === digest) return false;
			const [product, data] =
				resource === 'reviews'
					? [await reviews.load(pid), undefined]
					: [undefined, await reviewData.load(pid)];
			return Object.entries(parts).some(([facet, shown]) => {
				const part = JSON.parse(facet);
				return (resource === 'reviews' ? partDigest(product, part) : dataDigest(data, part)) !== shown;
			});
		},
		place: context.place ?? (() => {}),
		refresh: (pid) => reviews.refresh(pid),
		fail(error) {
			failure ??= { error };
		},
		async decideLosses() {
			reviewLosses.decide();
			await setImmediate();
		},
		assertWhole() {
			assertGoing();
			const { ending } = judgeFailures(tally, options.onError);
			if (ending.length > 0) throw unavailable(ending, tally, advise(ending));
		},
	};
	return Object.assign(session, {
		// A page waits for each of these.
		getProductReviews: held(session.getProductReviews),
		getStarRating: session.getStarRating && held(session.getStarRating),
		getBlock: session.getBlock && held(session.getBlock),
		getReviewData: held(session.getReviewData),
		digestOf: held(session.digestOf),
		isChanged: held(session.isChanged),
	});
}

/** A call that keeps the process alive until it is answered. */
function held<Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) {
	return (...args: Args) => keepAlive(call(...args));
}

const ALL: Facet = { part: 'all' };
const ALL_DATA: DataFacet = { part: 'data' };
