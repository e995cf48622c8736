import { setImmediate } from 'node:timers/promises';
import type { Dependency } from '../pages/dependency.js';
import type { Fragment, FragmentRequest, FragmentSettings } from '../render/fragment.js';
import { componentOf } from '../render/write-fragment.js';
import { isPromise } from '../runtime/is-promise.js';
import type { ReviewSource } from '../runtime/source.js';
import { when } from '../runtime/when.js';
import { RESOURCES, type Resource, type ReviewStore } from '../store/review-store.js';
import { createFragments, digestOfFragment } from './build-fragments.js';
import { createDependencies, digestOfRating } from './dependencies.js';
import type { FinishedPieces } from './finished-pieces.js';
import { keepAlive } from './keep-alive.js';
import type { ProductOrder } from './open-product-list.js';
import { createProductData, type From, type ProductDataContext } from './product-data.js';

/** What the source of a build or dev server works with. */
export interface BuildSourceContext extends ProductDataContext, Omit<AskedProductsContext, 'hasRatings'> {
	readonly settings: FragmentSettings;
	/** Pieces of fragments in the store. @default every page writes its own */
	readonly finished?: FinishedPieces | undefined;
	/** Called with facts about what the page being rendered shows. */
	readonly place?: ReviewSource['place'] | undefined;
	/** Called with what that page asks for, before it is known. */
	readonly ask?: ((asked: Dependency) => void) | undefined;
	/** Called with what that page depends on, if that is to be known later. */
	readonly depend?: ((dependency: Dependency) => void) | undefined;
	/** Called instead of `depend` with each fragment. @returns the fragment as the page gets it. */
	readonly show?: ((dependency: Dependency, fragment: Fragment) => Fragment) | undefined;
}

/** The reviews of one build or dev server, for its pages. */
export interface BuildSource extends ReviewSource {
	getFragment(pid: string, request: FragmentRequest): Fragment | Promise<Fragment>;
	/** Whether a page rendered now would still show the same. */
	isCurrent(dependency: Dependency): Promise<boolean>;
	/** Products that were not in the product list when pages asked for them. */
	readonly unlisted: ReadonlySet<string>;
	/** Makes every later request of a page fail. */
	fail(error: unknown): void;
	/** @throws the error passed to {@link BuildSource.fail}. */
	assertGoing(): void;
}

export function createBuildSource(context: BuildSourceContext): BuildSource {
	const { settings, finished, place = () => {}, ask, depend, show } = context;
	const asked = createAskedProducts({ ...context, hasRatings: context.ratings !== undefined });
	const data = createProductData(context);
	const fragmentOf = createFragments(data, settings, finished);
	let failure: { readonly error: unknown } | undefined;
	const assertGoing = () => {
		if (failure) throw failure.error;
	};
	const fromOf = (given: From, pid: string, request?: FragmentRequest): From | Promise<From> => {
		assertGoing();
		if (given !== 'rating') asked.note(given, pid);
		return when(given === 'rating' ? asked.ratingFrom(pid) : given, (from) => {
			ask?.({ pid, from, version: undefined, ...(request && { request }) });
			return from;
		});
	};
	const dependencies = createDependencies(data, fragmentOf);
	return {
		get unlisted() {
			return asked.unlisted;
		},
		getFragment: held((pid, request) =>
			when(fromOf(componentOf(request).from, pid, request), (from) =>
				when(fragmentOf(pid, request, from), (fragment) => {
					for (const facts of fragment.facts) place({ ...facts, pid });
					if (!show) return fragment;
					const more = { request, digest: digestOfFragment(fragment) };
					return dependencies.on(pid, from, more).then((dependency) => show(dependency, fragment));
				}),
			),
		),
		getProductReviews: held((pid) => own('reviews', pid)),
		getReviewData: held((pid) => own('review-data', pid)),
		getStarRating: held(async (pid) => {
			const from = await fromOf('rating', pid);
			const rating = await data.readRating(from, pid);
			depend?.(await dependencies.on(pid, from, { digest: digestOfRating(rating) }));
			return rating;
		}),
		digestOf: held(async (pids) => {
			const digest = await data.digestOf(pids);
			// A page that shows it shows another one when any of the reviews change.
			if (depend)
				for (const pid of pids)
					for (const from of data.kindsOf(pid)) depend(await dependencies.on(pid, from));
			return digest;
		}),
		isCurrent: held(dependencies.isCurrent),
		place,
		fail(error) {
			failure ??= { error };
		},
		assertGoing,
	};

	/** Data for the page's own markup, which depends on all of it. */
	async function own<Of extends 'reviews' | 'review-data'>(of: Of, pid: string) {
		await fromOf(of, pid);
		const value = await data.load(of, pid, of);
		depend?.(await dependencies.on(pid, of));
		return value;
	}
}

/** Wraps a call so that it keeps the process alive until it settles, if a page has to wait for it. */
function held<Args extends unknown[], Result>(call: (...args: Args) => Result) {
	return (...args: Args): Result => {
		const result = call(...args);
		return isPromise(result) ? (keepAlive(result) as Result) : result;
	};
}

/** Remembers which products pages ask for. */
interface AskedProducts {
	note(resource: Resource, pid: string): void;
	/** The source of a product's rating: whatever is fetched anyway, or else ratings in lists. */
	ratingFrom(pid: string): Promise<From>;
	/** Products that were not in the product list when pages asked for them. */
	readonly unlisted: ReadonlySet<string>;
}

interface AskedProductsContext {
	readonly store: ReviewStore;
	/** The product list, as far as it has been read: reviews of its products are requested in any case. */
	readonly listed?: ProductOrder | undefined;
	/** Whether there are ratings in lists, which need a token. */
	readonly hasRatings: boolean;
	/** Called with each product whose review data a page asks for. */
	readonly onReviewData?: ((pid: string) => void) | undefined;
}

function createAskedProducts(context: AskedProductsContext): AskedProducts {
	const { store, listed, hasRatings, onReviewData } = context;
	const unlisted: Record<Resource, Set<string>> = { reviews: new Set(), 'review-data': new Set() };

	const note = (resource: Resource, pid: string) => {
		if (!listed?.has(pid)) unlisted[resource].add(pid);
		if (resource === 'review-data') onReviewData?.(pid);
	};
	/** What is stored, listed, or on a page. */
	const knownFrom = (pid: string): From | undefined => {
		if (listed?.has(pid)) return 'reviews';
		return RESOURCES.find((kind) => unlisted[kind].has(pid) || store.table(kind).entry(pid) !== undefined);
	};
	return {
		note,
		async ratingFrom(pid) {
			// Something else on the page may fetch data that contains the rating.
			if (hasRatings && !knownFrom(pid)) await setImmediate();
			const from = knownFrom(pid) ?? (hasRatings ? 'rating' : 'reviews');
			if (from === 'reviews') note(from, pid);
			return from;
		},
		get unlisted() {
			const { reviews, 'review-data': data } = unlisted;
			return data.size === 0 ? reviews : new Set([...reviews, ...data]);
		},
	};
}
