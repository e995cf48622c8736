import { setImmediate as nextTurn } from 'node:timers/promises';
import QuickLRU from 'quick-lru';
import { keepAlive } from '../base/async.js';
import { digestOf } from '../base/digest.js';
import { compareTexts, nameProduct } from '../base/words.js';
import type { Dependency } from '../cache/page-store.js';
import { ENVIRONMENT } from '../constants.js';
import { InvalidPropError, ProductReviewsConfigurationError } from '../errors.js';
import { RESOURCES, type Resource } from '../records/parts.js';
import { type AggregateRating, newestOf, ratingOf } from '../records/rating.js';
import {
	type Fragment,
	type FragmentRequest,
	type FragmentSettings,
	type ProductFacts,
	type ProductSource,
	SHOP,
	type ShopProduct,
	type StoredData,
} from '../render/fragment.js';
import { productsByPid } from '../render/render-latest-reviews.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import type { ReviewStore } from '../reviews/parts.js';
import type { Loaded, ReviewRepository } from '../reviews/repository.js';
import type { PageRecorder, PageRecording } from './build-pages.js';
import { digestOfFragment, holdsOnly } from './page-row.js';
import { isPromise, type MaybePromise, UNKNOWN_PAGE, when } from './page-source.js';

export interface ProductContext {
	readonly reviews: ReviewRepository<'reviews'>;
	readonly reviewData: ReviewRepository<'review-data'>;
	/** `undefined` if ratings cannot be requested in lists. */
	readonly ratings: ReviewRepository<'rating'> | undefined;
	readonly store: ReviewStore;
	readonly settings: FragmentSettings;
	/** Returns all products of the shop, see {@link findShopProducts}. @default they are not known */
	readonly shop?: (() => Promise<readonly ShopProduct[]>) | undefined;
	/** Called with products that a page names to show their latest reviews. */
	readonly onNamed?: ((pids: readonly string[]) => void) | undefined;
}

/** Products looked up at once. */
const SHOP_BATCH = 1_000;

/** Latest reviews kept in memory as they were written, for each language and each set of props: all pages may show the same. */
const MAX_LATEST = 100;

/** Finds products that have dated reviews, those with the newest first. What is not needed of them is not read. */
export function findShopProducts(store: ReviewStore, pids: readonly string[]): readonly ShopProduct[] {
	const found: ShopProduct[] = [];
	for (let at = 0; at < pids.length; at += SHOP_BATCH) {
		for (const [pid, { summary }] of store.entries(pids.slice(at, at + SHOP_BATCH), 'reviews')) {
			const newest = newestOf(summary);
			if (newest !== undefined) found.push({ pid, newest, read: () => store.read(pid, 'reviews')?.record });
		}
	}
	return found.sort(
		(one, other) => compareTexts(other.newest, one.newest) || compareTexts(one.pid, other.pid),
	);
}

/** A fragment without its address, and the version of the data that it was written from. */
export interface WrittenFragment extends Fragment {
	readonly version: string | undefined;
	readonly digest: string;
}

export type ProductData = ReturnType<typeof createProductData>;

export function createProductData(context: ProductContext) {
	const { store, reviews, reviewData, ratings, settings, shop = unknownShop, onNamed } = context;
	const resources = { reviews, 'review-data': reviewData, rating: ratings ?? reviews };

	const loadRating = (from: ProductSource, pid: string): MaybePromise<Loaded<AggregateRating>> => {
		const resource = resources[from];
		const read = (isShown: boolean) => {
			const entry = store.entry(pid, from);
			const value = isShown ? ratingOf(entry?.summary) : undefined;
			return { value, version: resource.isSettled(pid) ? entry?.digest : undefined };
		};
		return resource.isSettled(pid) ? read(true) : resource.settle(pid).then(read);
	};
	type AnyLoaded = Loaded<StoredData[ProductSource]>;
	const load = (of: ProductSource, pid: string, from: ProductSource): MaybePromise<AnyLoaded> => {
		if (of !== 'rating') return (from === 'review-data' ? reviewData : reviews).load(pid);
		return when(loadRating(from, pid), ({ value, version }) => ({ value: { aggregate: value }, version }));
	};
	/** A version that changes exactly when the data about the product does. */
	const versionOf = async (dependency: Dependency): Promise<string | undefined> => {
		const { pid, from } = dependency;
		return from === 'shop' ? (await fragmentOf(dependency)).version : resources[from].digest(pid);
	};
	const isSameData = async ({ pid, from, held }: Dependency) =>
		from !== 'shop' && holdsOnly(held, digestOfRating((await loadRating(from, pid)).value));
	const writeLatest = (products: readonly ShopProduct[], request: FragmentRequest): WrittenFragment => {
		const fragment = writeFragment(SHOP, { products }, request, settings);
		const digest = digestOfFragment(fragment);
		// All products together have no version but what is shown of them.
		return { ...fragment, version: digest, digest };
	};
	const latest = new QuickLRU<
		string,
		{ readonly products: readonly ShopProduct[]; readonly fragment: WrittenFragment }
	>({ maxSize: MAX_LATEST });
	const writeShop = async (request: FragmentRequest): Promise<WrittenFragment> => {
		const named = productsByPid(request.props['products']);
		if (named) {
			const pids = [...named.keys()];
			onNamed?.(pids);
			await Promise.all(pids.map((pid) => reviews.settle(pid)));
			return writeLatest(findShopProducts(store, pids), request);
		}
		const products = await shop();
		const key = JSON.stringify(request);
		const kept = latest.get(key);
		if (kept?.products === products) return kept.fragment;
		const fragment = writeLatest(products, request);
		latest.set(key, { products, fragment });
		return fragment;
	};
	/** Returns what a component writes, at once if it need not be waited for. */
	const fragmentOf = ({ pid, from, request }: Dependency) => {
		if (!request) throw new TypeError('The page has no fragment there.');
		if (from === 'shop') return writeShop(request);
		return when(
			load(componentOf(request).from as ProductSource, pid, from),
			({ value, version }): WrittenFragment => {
				const fragment = writeFragment(pid, value, request, settings);
				return { ...fragment, version, digest: digestOfFragment(fragment) };
			},
		);
	};
	return {
		loadRating,
		versionOf,
		isSameData,
		fragmentOf,
		settle: async ({ from, pid }: Dependency): Promise<boolean> =>
			from === 'shop' || resources[from].settle(pid),
		/** Resolves to `true` if a page rendered now would still show the same. */
		async isCurrent(dependency: Dependency): Promise<boolean> {
			if ((await versionOf(dependency)) === dependency.version) return true;
			if (!dependency.request) return isSameData(dependency);
			return holdsOnly(dependency.held, (await fragmentOf(dependency)).digest);
		},
		async digestOf(pids: readonly string[]): Promise<string> {
			const digests = pids.flatMap((pid) => {
				// Review data counts only if a page has asked for it.
				const hasData = store.entry(pid, 'review-data') !== undefined;
				return [reviews.digest(pid), ...(hasData ? [reviewData.digest(pid)] : [])];
			});
			return digestOf(JSON.stringify(await Promise.all(digests)));
		},
	};
}

function unknownShop(): never {
	throw new InvalidPropError(
		'<LatestReviews> does not know the products of the store. Set the option "products" of productReviews(), or give their IDs in the prop `products`.',
	);
}

function digestOfRating(rating: AggregateRating | undefined): string {
	return digestOf(JSON.stringify(rating ?? null));
}

interface BuildSourceContext extends ProductContext {
	readonly pages: Pick<PageRecorder, 'of'>;
	/** The product list, as far as it has been read: reviews of its products are requested in any case. */
	readonly listed?: ReadonlyMap<string, number> | undefined;
	readonly onReviewData?: ((pid: string) => void) | undefined;
	readonly onFacts?: ((facts: ProductFacts) => void) | undefined;
	/** `true` if a missing access token is an error where something needs it. @default false */
	readonly lacksToken?: boolean | undefined;
}

export function createBuildSource(context: BuildSourceContext) {
	const { store, reviews, reviewData, ratings, pages, listed, onReviewData, onFacts, lacksToken } = context;
	const data = createProductData(context);
	const unlisted: Record<Resource, Set<string>> = { reviews: new Set(), 'review-data': new Set() };
	let failure: { readonly error: unknown } | undefined;
	let [waiting, waitingSince, waitedMs] = [0, 0, 0];
	const assertGoing = () => {
		if (failure) throw failure.error;
	};
	const note = (resource: Resource, pid: string) => {
		if (!listed?.has(pid)) unlisted[resource].add(pid);
		if (resource === 'review-data') onReviewData?.(pid);
	};
	const knownFrom = (pid: string): ProductSource | undefined => {
		if (listed?.has(pid)) return 'reviews';
		return RESOURCES.find((kind) => unlisted[kind].has(pid) || store.entry(pid, kind) !== undefined);
	};
	/** The source of a rating: whatever is fetched anyway, or else ratings in lists. */
	const ratingFrom = (pid: string): MaybePromise<ProductSource> => {
		const noted = (from: ProductSource) => {
			if (from === 'reviews') note(from, pid);
			return from;
		};
		const known = knownFrom(pid);
		if (known || !ratings) return noted(known ?? 'reviews');
		// Something else on the page may fetch data that contains the rating.
		return nextTurn().then(() => noted(knownFrom(pid) ?? 'rating'));
	};
	const place = (facts: ProductFacts, page: PageRecording) => {
		onFacts?.(facts);
		page.facts.push(facts);
	};
	const depend = (page: PageRecording, { pid, from, request }: Dependency): MaybePromise<Dependency> => {
		assertGoing();
		if (from === 'review-data' && lacksToken && !store.entry(pid, from)) {
			throw missingToken(request ? `<${request.component}>` : 'getReviewData()', page.address);
		}
		if (from === 'reviews' || from === 'review-data') note(from, pid);
		return when(from === 'rating' ? ratingFrom(pid) : from, (source) => {
			const dependency = { pid, from: source, ...(request && { request }) };
			page.dependencies.push(dependency);
			return dependency;
		});
	};
	const own = <Of extends Resource>(from: Of, resource: ReviewRepository<Of>) =>
		held(async (page, pid: string) => {
			const dependency = await depend(page, { pid, from });
			const { value, version } = await resource.load(pid);
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
			if (waiting++ === 0) waitingSince = performance.now();
			return keepAlive(result).finally(() => {
				page.waiting -= 1;
				if (--waiting === 0) waitedMs += performance.now() - waitingSince;
			}) as Result;
		};
	}
	return {
		/** Products that were not in the product list when pages asked for them. */
		get unlisted(): ReadonlySet<string> {
			const { reviews: asked, 'review-data': data } = unlisted;
			return data.size === 0 ? asked : new Set([...asked, ...data]);
		},
		/** Time in which pages waited for reviews, in milliseconds. */
		get waitedMs(): number {
			return waitedMs;
		},
		getFragment: held((page, pid: string, request: FragmentRequest) =>
			when(depend(page, { pid, from: componentOf(request).from, request }), (dependency) =>
				when(data.fragmentOf(dependency), (fragment) => {
					for (const facts of fragment.facts) place({ ...facts, pid }, page);
					dependency.version = fragment.version;
					dependency.held = [fragment.digest];
					return fragment;
				}),
			),
		),
		getProductReviews: own('reviews', reviews),
		getReviewData: own('review-data', reviewData),
		getStarRating: held(async (page, pid: string) => {
			const dependency = await depend(page, { pid, from: 'rating' });
			const { value, version } = await data.loadRating(dependency.from as ProductSource, pid);
			dependency.version = version;
			dependency.held = [digestOfRating(value)];
			return value;
		}),
		digestOf: (pids: readonly string[]) => keepAlive(data.digestOf(pids)),
		isCurrent: (dependency: Dependency) => keepAlive(data.isCurrent(dependency)),
		place: (facts: ProductFacts, page?: string) => place(facts, pages.of(page ?? undefined)),
		fail(error: unknown): void {
			failure ??= { error };
		},
		assertGoing,
	};
}

/** @param use what needs the token */
function missingToken(use: string, page: string): ProductReviewsConfigurationError {
	const where = page === UNKNOWN_PAGE ? '' : ` on ${nameProduct(page)}`;
	return new ProductReviewsConfigurationError(
		'PR_MISSING_TOKEN',
		`${use}${where} needs an access token, and none is set: without one, the service has no photos, topics, questions or full reviews for it.`,
		`Set ${ENVIRONMENT.token} in the environment or in .env, or the option "token" of productReviews(). <ProductReviews> and <ReviewSchema> need none.`,
	);
}
