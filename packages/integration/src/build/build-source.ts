import { setImmediate } from 'node:timers/promises';
import { ratingOf } from '../cache/known-rating.js';
import type { StoredResource } from '../cache/stored-resource.js';
import type { Dependency } from '../pages/dependency.js';
import type { ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { StoredData } from '../render/component.js';
import type { Fragment, FragmentRequest, FragmentSettings } from '../render/fragment.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import type { ReviewSource } from '../runtime/source.js';
import { digestOf } from '../store/pack.js';
import type { Resource, ReviewStore } from '../store/review-store.js';
import type { FinishedPieces } from './finished-pieces.js';
import { keepAlive } from './keep-alive.js';
import type { ProductOrder } from './open-product-list.js';

/** What a build or a dev server asks for its pages. */
export interface BuildSourceContext {
	readonly store: ReviewStore;
	readonly reviews: StoredResource<ProductReviews>;
	readonly reviewData: StoredResource<ReviewData>;
	/** Ratings in lists, which need a token. */
	readonly ratings: StoredResource<unknown> | undefined;
	readonly settings: FragmentSettings;
	/** The product list, as far as it was read: reviews of its products are requested in any case. */
	readonly listed?: ProductOrder | undefined;
	/** Called with each product whose review data a page asks for. */
	readonly onReviewData?: ((pid: string) => void) | undefined;
	/** Pieces of fragments that are kept in the store. @default every page writes its own */
	readonly finished?: FinishedPieces | undefined;
	/** Called with facts about what the page that is being rendered shows. */
	readonly place?: ReviewSource['place'] | undefined;
	/** Called with what that page depends on, in an incremental build. */
	readonly depend?: ((dependency: Dependency) => void) | undefined;
}

/** The reviews of one build or one dev server, for its pages. */
export interface BuildSource extends ReviewSource {
	getFragment(pid: string, request: FragmentRequest): Promise<Fragment>;
	/** Whether a page would show the same again. */
	isCurrent(dependency: Dependency): Promise<boolean>;
	/** Products that pages asked for and that the product list did not have by then. */
	readonly unlisted: ReadonlySet<string>;
	/** Ends the source for every page that asks from now on. */
	fail(error: unknown): void;
	/** @throws what {@link BuildSource.fail} was given. */
	assertGoing(): void;
}

/** What a rating can be taken from. */
type From = keyof StoredData;

export function createBuildSource(context: BuildSourceContext): BuildSource {
	const { store, reviews, reviewData, ratings, settings, listed, finished, place, depend } = context;
	const resources = { reviews, 'review-data': reviewData, rating: ratings ?? reviews };
	const unlisted = { reviews: new Set<string>(), 'review-data': new Set<string>() };
	let failure: { readonly error: unknown } | undefined;
	const assertGoing = () => {
		if (failure) throw failure.error;
	};
	const noteAsked = (resource: keyof typeof unlisted, pid: string) => {
		assertGoing();
		if (!listed?.has(pid)) unlisted[resource].add(pid);
		if (resource === 'review-data') context.onReviewData?.(pid);
	};

	/** Where the rating of a product comes from anyway, since that is stored, listed, or on a page. */
	const knownFrom = (pid: string): From | undefined => {
		if (listed?.has(pid)) return 'reviews';
		return KINDS.find((kind) => unlisted[kind].has(pid) || store.table(kind).entry(pid) !== undefined);
	};
	const ratingFrom = async (pid: string): Promise<From> => {
		// What else the page shows of the product may bring its rating.
		if (ratings && !knownFrom(pid)) await setImmediate();
		const from = knownFrom(pid) ?? (ratings ? 'rating' : 'reviews');
		if (from === 'reviews') noteAsked(from, pid);
		return from;
	};
	/** Changes exactly when what is stored of a product does. */
	const versionOf = async (from: From, pid: string): Promise<string | undefined> =>
		from === 'rating' ? JSON.stringify(await readRating(from, pid)) : resources[from].digest(pid);
	const readRating = async (from: From, pid: string) =>
		(await resources[from].settle(pid)) ? ratingOf(store.table(from).entry(pid)?.summary) : undefined;

	const LOAD: { readonly [Of in From]: (pid: string, from: From) => Promise<StoredData[Of] | undefined> } = {
		reviews: (pid) => reviews.load(pid),
		'review-data': (pid) => reviewData.load(pid),
		rating: async (pid, from) => ({ aggregate: await readRating(from, pid) }),
	};
	/** Writes a fragment, or takes its piece from the store. */
	const fragmentOf = async (pid: string, request: FragmentRequest, from: From): Promise<Fragment> => {
		const component = componentOf(request);
		if (finished && component.from !== 'rating') {
			const found = (await resources[from].settle(pid)) && finished.find(component.from, pid, request);
			if (found) return found;
		}
		const stored = await LOAD[component.from](pid, from);
		if (stored && finished && component.from !== 'rating') {
			return finished.write(component.from, pid, stored as StoredData[Resource], request);
		}
		return writeFragment(stored, request, settings);
	};
	const dependOnData = async (from: From, pid: string) => {
		if (depend) depend({ pid, from, version: await versionOf(from, pid) });
	};
	const fromOf = async (pid: string, request: FragmentRequest): Promise<From> => {
		const { from } = componentOf(request);
		if (from === 'rating') return ratingFrom(pid);
		noteAsked(from, pid);
		return from;
	};

	const source: BuildSource = {
		get unlisted() {
			const { reviews: ofReviews, 'review-data': ofData } = unlisted;
			return ofData.size === 0 ? ofReviews : new Set([...ofReviews, ...ofData]);
		},
		async getFragment(pid, request) {
			assertGoing();
			const from = await fromOf(pid, request);
			const fragment = await fragmentOf(pid, request, from);
			for (const facts of fragment.facts) place?.({ ...facts, pid });
			if (depend) {
				const version = await versionOf(from, pid);
				depend({ pid, from, version, request, digest: digestOfHtml(fragment) });
			}
			return fragment;
		},
		async getProductReviews(pid) {
			noteAsked('reviews', pid);
			const value = await reviews.load(pid);
			await dependOnData('reviews', pid);
			return value;
		},
		async getReviewData(pid) {
			noteAsked('review-data', pid);
			const value = await reviewData.load(pid);
			await dependOnData('review-data', pid);
			return value;
		},
		async getStarRating(pid) {
			assertGoing();
			const from = await ratingFrom(pid);
			const rating = await readRating(from, pid);
			if (depend) depend({ pid, from, version: await versionOf(from, pid), rating });
			return rating;
		},
		async digestOf(pids) {
			const digests = await Promise.all(
				pids.map(async (pid) => {
					// If no page ever asked for review data, it does not count.
					const hasData = store.table('review-data').entry(pid) !== undefined;
					return Promise.all([reviews.digest(pid), ...(hasData ? [reviewData.digest(pid)] : [])]);
				}),
			);
			return digestOf(JSON.stringify(digests.flat()));
		},
		async isCurrent({ pid, from, version, request, digest, rating }) {
			if ((await versionOf(from, pid)) === version) return true;
			if (request) return digestOfHtml(await fragmentOf(pid, request, from)) === digest;
			return rating !== undefined && JSON.stringify(await readRating(from, pid)) === JSON.stringify(rating);
		},
		place: (facts) => place?.(facts),
		fail(error) {
			failure ??= { error };
		},
		assertGoing,
	};
	return {
		...source,
		get unlisted() {
			return source.unlisted;
		},
		// A page waits for each of these.
		getFragment: held(source.getFragment),
		getProductReviews: held(source.getProductReviews),
		getReviewData: held(source.getReviewData),
		getStarRating: held(source.getStarRating),
		digestOf: held(source.digestOf),
		isCurrent: held(source.isCurrent),
	};
}

const KINDS = ['reviews', 'review-data'] as const;

function digestOfHtml({ html, parts }: Fragment): string {
	return digestOf(parts ? JSON.stringify(parts) : html);
}

/** A call that keeps the process alive until it is answered. */
function held<Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) {
	return (...args: Args) => keepAlive(call(...args));
}
