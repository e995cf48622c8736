import type { Dependency } from '../pages/dependency.js';
import type { Fragment, FragmentRequest, FragmentSettings } from '../render/fragment.js';
import { componentOf } from '../render/write-fragment.js';
import type { ReviewSource } from '../runtime/source.js';
import { type AskedProductsContext, createAskedProducts } from './asked-products.js';
import { createFragments, digestOfFragment } from './build-fragments.js';
import type { FinishedPieces } from './finished-pieces.js';
import { keepAlive } from './keep-alive.js';
import { createProductData, type From, type ProductDataContext } from './product-data.js';

/** What a build or a dev server asks for its pages. */
export interface BuildSourceContext extends ProductDataContext, Omit<AskedProductsContext, 'hasRatings'> {
	readonly settings: FragmentSettings;
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

export function createBuildSource(context: BuildSourceContext): BuildSource {
	const { settings, finished, place = () => {}, depend } = context;
	const asked = createAskedProducts({ ...context, hasRatings: context.ratings !== undefined });
	const data = createProductData(context);
	const fragmentOf = createFragments(data, settings, finished);
	let failure: { readonly error: unknown } | undefined;
	const assertGoing = () => {
		if (failure) throw failure.error;
	};
	const fromOf = async (from: From, pid: string): Promise<From> => {
		assertGoing();
		if (from === 'rating') return asked.ratingFrom(pid);
		asked.note(from, pid);
		return from;
	};
	const dependOn = async (pid: string, from: From, more?: Partial<Dependency>) =>
		depend?.({ pid, from, version: await data.versionOf(from, pid), ...more });

	return {
		get unlisted() {
			return asked.unlisted;
		},
		getFragment: held(async (pid, request) => {
			const from = await fromOf(componentOf(request).from, pid);
			const fragment = await fragmentOf(pid, request, from);
			for (const facts of fragment.facts) place({ ...facts, pid });
			if (depend) await dependOn(pid, from, { request, digest: digestOfFragment(fragment) });
			return fragment;
		}),
		getProductReviews: held((pid) => own('reviews', pid)),
		getReviewData: held((pid) => own('review-data', pid)),
		getStarRating: held(async (pid) => {
			const from = await fromOf('rating', pid);
			const rating = await data.readRating(from, pid);
			if (depend) await dependOn(pid, from, { rating });
			return rating;
		}),
		digestOf: held(data.digestOf),
		isCurrent: held(async ({ pid, from, version, request, digest, rating }) => {
			if ((await data.versionOf(from, pid)) === version) return true;
			if (request) return digestOfFragment(await fragmentOf(pid, request, from)) === digest;
			return rating !== undefined && isEqual(await data.readRating(from, pid), rating);
		}),
		place,
		fail(error) {
			failure ??= { error };
		},
		assertGoing,
	};

	/** Data for markup of the page's own, which depends on all of it. */
	async function own<Of extends 'reviews' | 'review-data'>(of: Of, pid: string) {
		await fromOf(of, pid);
		const value = await data.load(of, pid, of);
		if (depend) await dependOn(pid, of);
		return value;
	}
}

/** A call that keeps the process alive until it is answered: a page waits for it. */
function held<Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) {
	return (...args: Args) => keepAlive(call(...args));
}

function isEqual(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
