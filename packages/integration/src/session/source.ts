import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Loaded, StoredResource } from '../cache/stored-resource.js';
import { type Dependency, digestOfFragment } from '../pages/page.js';
import type { WrittenFragment } from '../pages/page-html.js';
import type { PageRecorder, PageRecording } from '../pages/recorder.js';
import type { AggregateRating } from '../parse/rating.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import { keyOfRequest } from '../render/address.js';
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

	const loadRating = (
		from: From,
		pid: string,
	): Loaded<AggregateRating> | Promise<Loaded<AggregateRating>> => {
		const resource = resources[from];
		const read = (isShown: boolean) => {
			const entry = store.table(from).entry(pid);
			const value = isShown ? ratingOf(entry?.summary) : undefined;
			const version = from === 'rating' ? JSON.stringify(value) : entry?.digest;
			return { value, version: resource.isSettled(pid) ? version : undefined };
		};
		return resource.isSettled(pid) ? read(true) : resource.settle(pid).then(read);
	};
	const loaders: {
		readonly [Of in From]: (
			pid: string,
			from: From,
		) => Loaded<StoredData[Of]> | Promise<Loaded<StoredData[Of]>>;
	} = {
		reviews: (pid) => reviews.load(pid),
		'review-data': (pid) => reviewData.load(pid),
		rating: (pid, from) =>
			when(loadRating(from, pid), ({ value, version }) => ({ value: { aggregate: value }, version })),
	};
	return {
		/** The version of data that is known to be current. */
		knownVersion: (of: From, pid: string): string | undefined =>
			of !== 'rating' && resources[of].isSettled(pid) ? store.table(of).entry(pid)?.digest : undefined,
		/** At once if it need not be waited for. */
		load: <Of extends From>(of: Of, pid: string, from: From) => loaders[of](pid, from),
		settle: (from: From, pid: string): Promise<boolean> => resources[from].settle(pid),
		/** A version that changes exactly when the data about the product does. */
		async versionOf(from: From, pid: string): Promise<string | undefined> {
			if (from !== 'rating') return resources[from].digest(pid);
			return JSON.stringify((await loadRating(from, pid)).value);
		},
		readRating: async (from: From, pid: string) => (await loadRating(from, pid)).value,
		async digestOf(pids: readonly string[]): Promise<string> {
			const digests = pids.flatMap((pid) => kindsOf(pid).map((kind) => resources[kind].digest(pid)));
			return digestOf(JSON.stringify(await Promise.all(digests)));
		},
	};
}

export type ProductData = ReturnType<typeof createProductData>;

export type FragmentOf = (pid: string, request: FragmentRequest, from: From) => Promise<Fragment>;

export function createFragments(data: ProductData, settings: FragmentSettings): FragmentOf {
	return async (pid, request, from) => {
		const { value } = await data.load(componentOf(request).from, pid, from);
		return writeFragment(value, request, settings);
	};
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
	const fragmentFor = (page: PageRecording, { pid, from }: Dependency, request: FragmentRequest) => {
		const key = keyOfRequest(request);
		const { from: of } = componentOf(request);
		const known = page.html?.find(pid, key, data.knownVersion(of, pid));
		if (known) return known;
		return when(data.load(of, pid, from), ({ value, version }): WrittenFragment & Fragment => {
			const fragment = writeFragment(value, request, settings);
			const written = { ...fragment, version, digest: digestOfFragment(fragment) };
			// A rating is written faster than read. Parts are few, and the page's own markup is around them.
			if (version !== undefined && of !== 'rating' && !fragment.parts) page.html?.add(pid, key, written);
			return written;
		});
	};
	const own = <Of extends Resource>(of: Of) =>
		held(async (page, pid: string) => {
			const dependency = await depend(page, { pid, from: of });
			const { value, version } = await data.load(of, pid, of);
			dependency.version = version;
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
				when(fragmentFor(page, dependency, request), (fragment) => {
					for (const facts of fragment.facts) place({ ...facts, pid }, page);
					dependency.version = fragment.version;
					dependency.digest = fragment.digest;
					return fragment;
				}),
			),
		),
		getProductReviews: own('reviews'),
		getReviewData: own('review-data'),
		getStarRating: held(async (page, pid: string) => {
			const dependency = await depend(page, { pid, from: 'rating' });
			const { value, version } = await data.load('rating', pid, dependency.from);
			dependency.version = version;
			dependency.digest = digestOfRating(value?.aggregate);
			return value?.aggregate;
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
		ratingFrom(pid: string): From | Promise<From> {
			const noted = (from: From) => {
				if (from === 'reviews') note(from, pid);
				return from;
			};
			const known = knownFrom(pid);
			if (known || !hasRatings) return noted(known ?? 'reviews');
			// Something else on the page may fetch data that contains the rating.
			return nextTurn().then(() => noted(knownFrom(pid) ?? 'rating'));
		},
		get unlisted(): ReadonlySet<string> {
			const { reviews, 'review-data': data } = unlisted;
			return data.size === 0 ? reviews : new Set([...reviews, ...data]);
		},
	};
}
