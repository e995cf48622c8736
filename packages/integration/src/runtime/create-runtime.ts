import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import { formAuthors, formDataAuthors } from '../render/form-authors.js';
import type { ProductId } from '../text/product-id.js';
import { checkProductId } from './check-product-id.js';
import { type ComponentFunctions, createComponentFunctions } from './component-functions.js';
import { omitMissing } from './omit-missing.js';
import type { PageCache } from './page-cache.js';
import type { PageContext } from './page-context.js';
import { createPageSource, type RuntimePlace, type RuntimeSettings } from './page-source.js';

/** The functions of `virtual:product-reviews`, and those that the components call. */
export interface Runtime extends ComponentFunctions {
	/** @param cache `Astro.cache` of a page that is rendered on demand. */
	getProductReviews(pid: ProductId, cache?: PageCache): Promise<ProductReviews | undefined>;
	getStarRating(pid: ProductId, cache?: PageCache): Promise<AggregateRating | undefined>;
	getReviewData(pid: ProductId, cache?: PageCache): Promise<ReviewData | undefined>;
	/** A key for a page that shows these products, with what else the page is made of. */
	reviewsCacheKey(pids: readonly ProductId[], own?: string): Promise<string>;
	/** The reviews of a product, and since when a server that renders on demand has them. */
	reviewEntry(pid: ProductId): Promise<{
		readonly data: ProductReviews | undefined;
		/** Milliseconds since 1970. */
		readonly changedAt: number | undefined;
	}>;
	/** Has a server that renders on demand request products again; all of them if `pids` is left out. */
	forgetReviews(pids?: readonly ProductId[]): void;
}

export function createRuntime(settings: RuntimeSettings, place: RuntimePlace = {}): Runtime {
	const pageSource = createPageSource(settings, place);
	const { find, ask, forget } = pageSource;
	/** A page may sort it in place: what the components write must not change with it. */
	const copyOf = async (pid: string, page: PageContext) => {
		const reviews = structuredClone(
			await ask('reviews', pid, page, (source) => source.getProductReviews(pid)),
		);
		return reviews && formAuthors(reviews, settings.author);
	};
	const placeOwnMarkup = async (pid: string, page: PageContext) =>
		find(page)?.place({ component: 'own-markup', pid });

	const runtime: Runtime = {
		...createComponentFunctions(pageSource, settings),
		async getProductReviews(given, cache) {
			const pid = checkProductId(given, 'getProductReviews()');
			const [reviews] = await Promise.all([copyOf(pid, { cache }), placeOwnMarkup(pid, { cache })]);
			return reviews;
		},
		async getStarRating(given, cache) {
			const pid = checkProductId(given, 'getStarRating()');
			const rating = await ask('rating', pid, { cache }, (source) => source.getStarRating(pid));
			if (rating) await find({})?.place({ component: 'StarRating', pid, count: rating.count });
			return structuredClone(rating);
		},
		async getReviewData(given, cache) {
			const pid = checkProductId(given, 'getReviewData()');
			const [data] = await Promise.all([
				ask('review-data', pid, { cache }, (source) => source.getReviewData(pid)),
				placeOwnMarkup(pid, { cache }),
			]);
			return structuredClone(data && formDataAuthors(data, settings.author));
		},
		async reviewsCacheKey(pids, own = '') {
			const checked = pids.map((pid) => checkProductId(pid, 'reviewsCacheKey()'));
			return `${own} reviews:${(await find({})?.digestOf(checked)) ?? 'none'}`;
		},
		async reviewEntry(given) {
			const pid = checkProductId(given, 'liveReviewsLoader()');
			const data = await copyOf(pid, {});
			return { data, changedAt: find({})?.freshness?.('reviews', pid).changedAt };
		},
		forgetReviews: (pids) => forget(pids?.map((pid) => checkProductId(pid, 'forgetReviews()'))),
	};
	return settings.mayOmit ? omitMissing(runtime) : runtime;
}
