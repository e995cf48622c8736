import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredResource } from '../cache/stored-resource.js';
import { type Dependency, digestOfFragment } from '../pages/page.js';
import type { PageRecorder, PageRecording } from '../pages/recorder.js';
import type { AggregateRating } from '../parse/rating.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import type { StoredData } from '../render/component.js';
import type { Fragment, FragmentRequest, FragmentSettings, ProductFacts } from '../render/fragment.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import { isPromise, type ReviewSource, when } from '../runtime/page-source.js';
import { ratingOf } from '../service/packed.js';
import type { ReviewStore } from '../store/open-store.js';
import { RESOURCES, type Resource } from '../store/review-store.js';
import { digestOf } from '../store/values.js';
import type { OpenProductList } from './product-list.js';
import { keepAlive } from './run-context.js';

export type From = keyof StoredData;

export interface ProductDataContext {
	readonly store: ReviewStore;
	readonly reviews: StoredResource<ProductReviews>;
	readonly reviewData: StoredResource<ReviewData>;
	readonly ratings: StoredResource<unknown> | undefined;
}

export function createProductData({ store, reviews, reviewData, ratings }: ProductDataContext) {
	const resources = { reviews, 'review-data': reviewData, rating: ratings ?? reviews };

	// Review data counts only if a page has asked for it.
	const kindsOf = (pid: string): readonly Resource[] =>
		store.table('review-data').entry(pid) === undefined ? ['reviews'] : ['reviews', 'review-data'];

	const readRating = async (from: From, pid: string) =>
		(await resources[from].settle(pid)) ? ratingOf(store.table(from).entry(pid)?.summary) : undefined;
	const loaders: { readonly [Of in From]: (pid: string, from: From) => Promise<StoredData[Of] | undefined> } =
		{
			reviews: (pid) => reviews.load(pid),
			'review-data': (pid) => reviewData.load(pid),
			rating: async (pid, from) => ({ aggregate: await readRating(from, pid) }),
		};
	return {
		load: <Of extends From>(of: Of, pid: string, from: From): Promise<StoredData[Of] | undefined> =>
			loaders[of](pid, from),
		readRating,
		settle: (from: From, pid: string): Promise<boolean> => resources[from].settle(pid),
		/** A version that changes exactly when the data about the product does. */
		async versionOf(from: From, pid: string): Promise<string | undefined> {
			if (from === 'rating') return JSON.stringify(await readRating(from, pid));
			return resources[from].digest(pid);
		},
		/** The same without waiting, for data that was just loaded. */
		loadedVersion(from: From, pid: string): string | undefined {
			const entry = resources[from].isSettled(pid) ? store.table(from).entry(pid) : undefined;
			return from === 'rating' ? JSON.stringify(ratingOf(entry?.summary)) : entry?.digest;
		},
		async digestOf(pids: readonly string[]): Promise<string> {
			const digests = pids.flatMap((pid) => kindsOf(pid).map((kind) => resources[kind].digest(pid)));
			return digestOf(JSON.stringify(await Promise.all(digests)));
		},
	};
}

export type ProductData = ReturnType<typeof createProductData>;

export type FragmentOf = (pid: string, request: FragmentRequest, from: From) => Promise<Fragment>;

export function createFragments(data: ProductData, settings: FragmentSettings): FragmentOf {
	return async (pid, request, from) =>
		writeFragment(await data.load(componentOf(request).from, pid, from), request, settings);
}

export function digestOfRating(rating: AggregateRating | undefined): string {
	return digestOf(JSON.stringify(rating ?? null));
}

export interface BuildSourceContext extends ProductDataContext, Omit<AskedProductsContext, 'hasRatings'> {
	readonly settings: FragmentSettings;
	readonly pages: Pick<PageRecorder, 'of'>;
	readonly onFacts?: ((facts: ProductFacts) => void) | undefined;
}

export interface BuildSource extends ReviewSource {
	getFragment(pid: string, request: FragmentRequest, page?: string): Fragment | Promise<Fragment>;
	/** Whether a page rendered now would still show the same. */
	isCurrent(dependency: Dependency): Promise<boolean>;
	/** Products that were not in the product list when pages asked for them. */
	readonly unlisted: ReadonlySet<string>;
	fail(error: unknown): void;
	assertGoing(): void;
}

export function createBuildSource(context: BuildSourceContext): BuildSource {
	const { settings, pages, onFacts } = context;
	const asked = createAskedProducts({ ...context, hasRatings: context.ratings !== undefined });
	const data = createProductData(context);
	const fragmentOf = createFragments(data, settings);
	let failure: { readonly error: unknown } | undefined;
	const assertGoing = () => {
		if (failure) throw failure.error;
	};
	const place = (facts: ProductFacts, page: PageRecording) => {
		onFacts?.(facts);
		page.facts.push(facts);
	};
	const depend = (
		page: PageRecording,
		{ pid, from, request }: Dependency,
	): Dependency | Promise<Dependency> => {
		assertGoing();
		if (from !== 'rating') asked.note(from, pid);
		return when(from === 'rating' ? asked.ratingFrom(pid) : from, (source) => {
			const dependency = { pid, from: source, ...(request && { request }) };
			page.dependencies.push(dependency);
			return dependency;
		});
	};
	const know = (dependency: Dependency, digest?: string) => {
		const { pid, from } = dependency;
		Object.assign(dependency, { version: data.loadedVersion(from, pid), ...(digest && { digest }) });
	};
	const own = <Of extends Resource>(of: Of) =>
		held(async (page, pid: string) => {
			const dependency = await depend(page, { pid, from: of });
			const value = await data.load(of, pid, of);
			know(dependency);
			return value;
		});
	/** A call of a page that is not complete, and keeps the process alive, as long as it waits for the call. */
	function held<Args extends unknown[], Result>(call: (page: PageRecording, ...args: Args) => Result) {
		return (...given: [...Args, page?: string]): Result => {
			const args = given.slice(0, call.length - 1) as Args;
			// From another runtime, `undefined` comes as `null`.
			const page = pages.of((given[call.length - 1] as string | null | undefined) ?? undefined);
			const result = call(page, ...args);
			if (!isPromise(result)) return result;
			page.waiting += 1;
			return keepAlive(result).finally(() => {
				page.waiting -= 1;
			}) as Result;
		};
	}
	return {
		get unlisted() {
			return asked.unlisted;
		},
		getFragment: held((page, pid: string, request: FragmentRequest) =>
			when(depend(page, { pid, from: componentOf(request).from, request }), (dependency) =>
				when(fragmentOf(pid, request, dependency.from), (fragment) => {
					for (const facts of fragment.facts) place({ ...facts, pid }, page);
					know(dependency, digestOfFragment(fragment));
					return fragment;
				}),
			),
		),
		getProductReviews: own('reviews'),
		getReviewData: own('review-data'),
		getStarRating: held(async (page, pid: string) => {
			const dependency = await depend(page, { pid, from: 'rating' });
			const rating = await data.readRating(dependency.from, pid);
			know(dependency, digestOfRating(rating));
			return rating;
		}),
		digestOf: (pids) => keepAlive(data.digestOf(pids)),
		isCurrent: (dependency) => keepAlive(isCurrent(dependency, data, fragmentOf)),
		place: (facts, page) => place(facts, pages.of(page ?? undefined)),
		fail(error) {
			failure ??= { error };
		},
		assertGoing,
	};
}

async function isCurrent(
	{ pid, from, version, request, digest }: Dependency,
	data: ProductData,
	fragmentOf: FragmentOf,
): Promise<boolean> {
	if ((await data.versionOf(from, pid)) === version) return true;
	if (request) return digestOfFragment(await fragmentOf(pid, request, from)) === digest;
	return digest !== undefined && digestOfRating(await data.readRating(from, pid)) === digest;
}

interface AskedProductsContext {
	readonly store: ReviewStore;
	/** The product list, as far as it has been read: reviews of its products are requested in any case. */
	readonly listed?: OpenProductList['seen'] | undefined;
	readonly hasRatings: boolean;
	readonly onReviewData?: ((pid: string) => void) | undefined;
}

function createAskedProducts(context: AskedProductsContext) {
	const { store, listed, hasRatings, onReviewData } = context;
	const unlisted: Record<Resource, Set<string>> = { reviews: new Set(), 'review-data': new Set() };

	const note = (resource: Resource, pid: string) => {
		if (!listed?.has(pid)) unlisted[resource].add(pid);
		if (resource === 'review-data') onReviewData?.(pid);
	};
	const knownFrom = (pid: string): From | undefined => {
		if (listed?.has(pid)) return 'reviews';
		return RESOURCES.find((kind) => unlisted[kind].has(pid) || store.table(kind).entry(pid) !== undefined);
	};
	return {
		note,
		/** The source of a rating: whatever is fetched anyway, or else ratings in lists. */
		async ratingFrom(pid: string): Promise<From> {
			// Something else on the page may fetch data that contains the rating.
			if (hasRatings && !knownFrom(pid)) await nextTurn();
			const from = knownFrom(pid) ?? (hasRatings ? 'rating' : 'reviews');
			if (from === 'reviews') note(from, pid);
			return from;
		},
		get unlisted(): ReadonlySet<string> {
			const { reviews, 'review-data': data } = unlisted;
			return data.size === 0 ? reviews : new Set([...reviews, ...data]);
		},
	};
}
