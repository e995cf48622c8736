import { formAuthors, formDataAuthors } from '../render/parts.js';
import { createComponentFunctions } from './component-functions.js';
import {
	createPageSource,
	isPromise,
	NO_SOURCE_MARK,
	NoReviewSourceError,
	type PageContext,
	type RuntimePlace,
	type RuntimeSettings,
} from './page-source.js';
import { checkProductId, type Runtime } from './runtime.js';

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
	if (name === 'reviewSectionParts') return MISSING_SECTION;
	if (name === 'reviewEntry') return { data: undefined, changedAt: undefined };
	if (name === 'reviewsCacheKey') return `${args[1] ?? ''} reviews:none`;
	return undefined;
}

const MISSING_SECTION = {
	attributes: {},
	heading: NO_SOURCE_MARK,
	summary: '',
	topics: '',
	media: '',
	reviews: '',
	questions: '',
} satisfies Awaited<ReturnType<Runtime['reviewSectionParts']>>;
