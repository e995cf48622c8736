import type { AggregateRating } from '../parse/rating.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import { formAuthors } from '../text/author.js';
import type { ProductId } from '../text/product-id.js';
import { type ComponentFunctions, createComponentFunctions } from './component-functions.js';
import {
	createPageSource,
	isPromise,
	NO_SOURCE_MARK,
	NoReviewSourceError,
	type PageContext,
	type RuntimePlace,
	type RuntimeSettings,
} from './page-source.js';
import { checkProductId } from './runtime.js';

/** The functions of `virtual:product-reviews`, and those that components call. */
export interface Runtime extends ComponentFunctions {
	getProductReviews(pid: ProductId, page?: PageContext): Promise<ProductReviews | undefined>;
	getStarRating(pid: ProductId, page?: PageContext): Promise<AggregateRating | undefined>;
	getReviewData(pid: ProductId, page?: PageContext): Promise<ReviewData | undefined>;
	/**
	 * A key for a page that shows these products.
	 * @param own a key for everything else on the page.
	 * @param page `Astro`, where the page itself shows the key. `getStaticPaths()` has none.
	 */
	reviewsCacheKey(pids: readonly ProductId[], own?: string, page?: PageContext): Promise<string>;
	/** The reviews of a product, and when a server that renders on demand got them. */
	reviewEntry(pid: ProductId): Promise<{
		readonly data: ProductReviews | undefined;
		readonly changedAt: number | undefined;
	}>;
	/** Makes a server that renders on demand request products again. @default all products */
	forgetReviews(pids?: readonly ProductId[]): Promise<boolean>;
}

export function createRuntime(settings: RuntimeSettings, place: RuntimePlace = {}): Runtime {
	const pageSource = createPageSource(settings, place);
	const { find, ask, forget, nameOf } = pageSource;
	const askReviews = (pid: string, page: PageContext | undefined) =>
		ask('reviews', pid, page, (source) => source.getProductReviews(pid, nameOf(page)));
	/** A copy, because a page may sort it in place, which must not affect what components write. */
	const copyOf = async (pid: string, page: PageContext | undefined) => {
		const reviews = structuredClone(await askReviews(pid, page));
		return reviews && formAuthors(reviews, settings.authorNames);
	};
	const placeOwnMarkup = async (pid: string, page: PageContext | undefined) =>
		find()?.place({ component: 'own-markup', pid }, nameOf(page));

	const runtime: Runtime = {
		...createComponentFunctions(pageSource, settings),
		async getProductReviews(given, page) {
			const pid = checkProductId(given, 'getProductReviews()');
			const [reviews] = await Promise.all([copyOf(pid, page), placeOwnMarkup(pid, page)]);
			return reviews;
		},
		async getStarRating(given, page) {
			const pid = checkProductId(given, 'getStarRating()');
			const rating = await ask('rating', pid, page, (source) => source.getStarRating(pid, nameOf(page)));
			if (rating) await find()?.place({ component: 'StarRating', pid, count: rating.count }, nameOf(page));
			return structuredClone(rating);
		},
		async getReviewData(given, page) {
			const pid = checkProductId(given, 'getReviewData()');
			const [data] = await Promise.all([
				ask('review-data', pid, page, (source) => source.getReviewData(pid, nameOf(page))),
				placeOwnMarkup(pid, page),
			]);
			return structuredClone(data && formAuthors(data, settings.authorNames));
		},
		async reviewsCacheKey(pids, own = '', page) {
			const checked = pids.map((pid) => checkProductId(pid, 'reviewsCacheKey()'));
			if (page)
				await Promise.all(checked.flatMap((pid) => [askReviews(pid, page), placeOwnMarkup(pid, page)]));
			return `${own} reviews:${(await find()?.digestOf(checked)) ?? 'none'}`;
		},
		async reviewEntry(given) {
			const pid = checkProductId(given, 'liveReviewsLoader()');
			const data = await copyOf(pid, undefined);
			return { data, changedAt: find()?.freshness?.('reviews', pid).changedAt };
		},
		forgetReviews: (pids) => forget(pids?.map((pid) => checkProductId(pid, 'forgetReviews()'))),
	};
	return settings.mayOmit ? omitMissing(runtime) : runtime;
}

/**
 * The same functions for a site whose option `onError` is `'omit'`: a page that cannot reach a source is built without
 * reviews. Components leave a mark in it so that the build can count such pages.
 */
function omitMissing(runtime: Runtime): Runtime {
	const entries = Object.entries(runtime).map(([name, call]) => [
		name,
		// All errors of functions that use a source are rejections.
		(...args: unknown[]) => {
			const result: unknown = (call as (...args: unknown[]) => unknown)(...args);
			if (!isPromise(result)) return result;
			return result.catch((error: unknown) => {
				if (error instanceof NoReviewSourceError) return missing(name as keyof Runtime, args);
				throw error;
			});
		},
	]);
	return Object.fromEntries(entries);
}

function missing(name: keyof Runtime, args: readonly unknown[]): unknown {
	if (name.endsWith('Html')) return NO_SOURCE_MARK;
	if (name === 'reviewSectionParts') return { html: NO_SOURCE_MARK };
	if (name === 'reviewEntry') return { data: undefined, changedAt: undefined };
	if (name === 'reviewsCacheKey') return `${args[1] ?? ''} reviews:none`;
	return undefined;
}
