import { formAuthors, formDataAuthors } from '../render/form-authors.js';
import { checkProductId } from './check-product-id.js';
import { createComponentFunctions } from './component-functions.js';
import { omitMissing } from './omit-missing.js';
import type { PageContext } from './page-context.js';
import { createPageSource, type RuntimePlace, type RuntimeSettings } from './page-source.js';
import type { Runtime } from './runtime.js';

export function createRuntime(settings: RuntimeSettings, place: RuntimePlace = {}): Runtime {
	const pageSource = createPageSource(settings, place);
	const { find, ask, forget } = pageSource;
	/** A copy, because a page may sort it in place, which must not affect what components write. */
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
