import { setImmediate as nextTurn } from 'node:timers/promises';
import { ratingOf } from '../cache/known-rating.js';
import type { StoredResource } from '../cache/stored-resource.js';
import type { TextSet } from '../collections/create-text-set.js';
import type { Dependency } from '../pages/page.js';
import type { AggregateRating, ProductReviews, ReviewData } from '../parse/record.js';
import type { StoredData } from '../render/component.js';
import type { Fragment, FragmentRequest, FragmentSettings } from '../render/fragment.js';
import {
	componentOf,
	finishFragment,
	sharedRequest,
	writeFragment,
	writePiece,
} from '../render/write-fragment.js';
import { isPromise, type ReviewSource, when } from '../runtime/page-source.js';
import { keyOf, type PieceTask, setOf, toAttachment, toPiece } from '../service/review-service.js';
import { RESOURCES, type Resource, type ReviewStore } from '../store/review-store.js';
import { digestOf } from '../store/values.js';
import type { ProductOrder } from './product-list.js';
import { keepAlive } from './run-context.js';

/** A kind of data about a product, and a possible source of its rating. */
export type From = keyof StoredData;

/** All data about products, from the store or the service. */
export interface ProductData {
	/** @param from the source of a rating. */
	load<Of extends From>(of: Of, pid: string, from: From): Promise<StoredData[Of] | undefined>;
	readRating(from: From, pid: string): Promise<AggregateRating | undefined>;
	/** Waits until the store has what pages show. @returns whether there is anything to show. */
	settle(from: From, pid: string): Promise<boolean>;
	/** Whether {@link ProductData.settle} has nothing to wait for, and there may be something to show. */
	isSettled(from: From, pid: string): boolean;
	/** A version that changes exactly when the data about the product does. */
	versionOf(from: From, pid: string): Promise<string | undefined>;
	/** The kinds of data of a product that its digest is made of. */
	kindsOf(pid: string): readonly ('reviews' | 'review-data')[];
	/** A digest that changes exactly when the reviews of one of these products do. */
	digestOf(pids: readonly string[]): Promise<string>;
}

export interface ProductDataContext {
	readonly store: ReviewStore;
	readonly reviews: StoredResource<ProductReviews>;
	readonly reviewData: StoredResource<ReviewData>;
	/** Ratings in lists, which need a token. */
	readonly ratings: StoredResource<unknown> | undefined;
}

export function createProductData({ store, reviews, reviewData, ratings }: ProductDataContext): ProductData {
	const resources = { reviews, 'review-data': reviewData, rating: ratings ?? reviews };

	// Review data counts only if a page has asked for it.
	const kindsOf: ProductData['kindsOf'] = (pid) =>
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
		load: (of, pid, from) => loaders[of](pid, from),
		readRating,
		settle: (from, pid) => resources[from].settle(pid),
		isSettled: (from, pid) => resources[from].isSettled(pid),
		async versionOf(from, pid) {
			if (from === 'rating') return JSON.stringify(await readRating(from, pid));
			return resources[from].digest(pid);
		},
		kindsOf,
		async digestOf(pids) {
			const digests = pids.flatMap((pid) => kindsOf(pid).map((kind) => resources[kind].digest(pid)));
			return digestOf(JSON.stringify(await Promise.all(digests)));
		},
	};
}

/** Returns a fragment, from a stored piece or newly written. A promise only if it has to be waited for. */
export type FragmentOf = (pid: string, request: FragmentRequest, from: From) => Fragment | Promise<Fragment>;

/** @param finished pieces of fragments in the store; `undefined` to write every fragment anew. */
export function createFragments(
	data: ProductData,
	settings: FragmentSettings,
	finished: FinishedPieces | undefined,
): FragmentOf {
	const write = async (pid: string, request: FragmentRequest, from: From) =>
		writeFragment(await data.load(componentOf(request).from, pid, from), request, settings);
	const finish = async (pieces: FinishedPieces, of: Resource, pid: string, request: FragmentRequest) => {
		const found = (await data.settle(of, pid)) && pieces.find(of, pid, request);
		if (found) return found;
		const stored = await data.load(of, pid, of);
		return stored ? pieces.write(of, pid, stored, request) : writeFragment(stored, request, settings);
	};
	return (pid, request, from) => {
		const of = componentOf(request).from;
		if (!finished || of === 'rating') return write(pid, request, from);
		const found = data.isSettled(of, pid) ? finished.find(of, pid, request) : undefined;
		return found ?? finish(finished, of, pid, request);
	};
}

/** A digest that changes exactly when the html of the fragment does. */
export function digestOfFragment({ html, parts }: Fragment): string {
	return digestOf(parts ? JSON.stringify(parts) : html);
}

/** What pages depend on, as it is now. */
interface Dependencies {
	/** A dependency on the current data of a product. */
	on(pid: string, from: From, more?: Pick<Dependency, 'request' | 'digest'>): Promise<Dependency>;
	/** Whether a page rendered now would still show the same. */
	isCurrent(dependency: Dependency): Promise<boolean>;
}

function createDependencies(data: ProductData, fragmentOf: FragmentOf): Dependencies {
	return {
		on: async (pid, from, more) => ({ pid, from, version: await data.versionOf(from, pid), ...more }),
		async isCurrent({ pid, from, version, request, digest }) {
			if ((await data.versionOf(from, pid)) === version) return true;
			if (request) return digestOfFragment(await fragmentOf(pid, request, from)) === digest;
			return digest !== undefined && digestOfRating(await data.readRating(from, pid)) === digest;
		},
	};
}

/** A digest that changes exactly when a rating does. */
export function digestOfRating(rating: AggregateRating | undefined): string {
	return digestOf(JSON.stringify(rating ?? null));
}

/** Pieces of fragments, stored next to the data that they were written from. */
export interface FinishedPieces {
	/** The fragment, if its piece is stored. */
	find(from: Resource, pid: string, request: FragmentRequest): Fragment | undefined;
	/** Writes a fragment and stores its piece. @throws TypeError for an invalid prop. */
	write(from: Resource, pid: string, stored: StoredData[Resource], request: FragmentRequest): Fragment;
}

/** Number of products after which a request counts as one that all pages make. */
const SAMPLE = 3;

/** Maximum number of learned requests. Each one adds work for every fetched product. */
const MOST_LEARNED = 6;

/** Maximum number of counted requests. Some are unique to a page, such as those with the product's name as heading. */
const MOST_COUNTED = 100;

/**
 * @param order products in the order in which pages probably ask for them. @default unknown
 * @param onLearned called with the requests that pages make, so that pieces of other products can be written on fetch.
 */
export function createFinishedPieces(
	store: ReviewStore,
	settings: FragmentSettings,
	onLearned: (task: PieceTask) => void,
	order?: ListOrder,
): FinishedPieces {
	const set = setOf(settings);
	const counts = new Map<string, number>();
	const learned: FragmentRequest[] = [];

	const learn = (key: string, request: FragmentRequest) => {
		const count = (counts.get(key) ?? 0) + 1;
		if (count > 1 || counts.size < MOST_COUNTED) counts.set(key, count);
		if (count !== SAMPLE || learned.length >= MOST_LEARNED) return;
		learned.push(sharedRequest(request));
		onLearned({ set, requests: [...learned], settings });
	};
	const nextReader = (from: Resource) => order && createNextReader(order, store.table(from).readAhead);
	const nextReaders = { reviews: nextReader('reviews'), 'review-data': nextReader('review-data') };
	return {
		find(from, pid, request) {
			const attachment = store.table(from).attachment(pid, set, keyOf(request));
			if (!attachment) return undefined;
			nextReaders[from]?.(pid);
			return finishFragment(toPiece(attachment), request);
		},
		write(from, pid, stored, request) {
			const piece = writePiece(stored, request, settings);
			const table = store.table(from);
			const key = keyOf(request);
			const digest = table.entry(pid)?.digest;
			if (digest) table.attach(pid, digest, set, key, toAttachment(piece));
			learn(key, request);
			return finishFragment(piece, request);
		},
	};
}

/** Products by their number in a list. */
export type ListOrder = Pick<TextSet, 'size' | 'indexOf' | 'at'>;

/** Products looked up at once, if pages have asked for as many in order. More take as long for each. */
const MOST = 32;

/**
 * Reads what the next pages probably show, as long as pages ask for products in the order of the list. It takes one step in
 * each turn of the event loop: while Astro waits for the disk, which it does several times for a page.
 * @param read reads products, in steps.
 * @returns a function to call with each product that a page asks for.
 */
function createNextReader(
	order: ListOrder,
	read: (pids: readonly string[]) => Iterator<void>,
): (pid: string) => void {
	/** Number of the product that was asked for last. */
	let last = -1;
	/** How many were asked for in order. */
	let run = 0;
	/** Number of the first product that is not read. */
	let end = 0;
	let isReading = false;

	const takeSteps = (steps: Iterator<void>) => {
		if (steps.next().done) isReading = false;
		else setImmediate(takeSteps, steps).unref();
	};
	const readNext = () => {
		const start = last + 1;
		end = Math.max(start, Math.min(start + Math.min(run, MOST), order.size));
		takeSteps(read(Array.from({ length: end - start }, (_, offset) => order.at(start + offset))));
	};
	return (pid) => {
		const index = order.indexOf(pid);
		if (index === last) return;
		run = index === last + 1 ? run + 1 : 0;
		if (run === 0) end = 0;
		last = index;
		if (run === 0 || end > index + 1 || isReading) return;
		isReading = true;
		setImmediate(readNext).unref();
	};
}

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
			if (hasRatings && !knownFrom(pid)) await nextTurn();
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
