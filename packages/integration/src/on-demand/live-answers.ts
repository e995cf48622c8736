import type { Priority } from 'product-reviews-client/sender';
import { collectRatings } from '../fetching/in-batches.js';
import { type AggregateRating, usableAggregate } from '../parse/rating.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import type { ProviderCalls } from '../providers/review-fetcher.js';
import { LiveMemory, type LiveMemoryContext } from './live-memory.js';

export type AskService = <Answer>(request: (provider: ProviderCalls) => Promise<Answer>) => Promise<Answer>;

interface LiveStars {
	readonly aggregate: AggregateRating | undefined;
}

export function createLiveAnswers(ask: AskService, context: Omit<LiveMemoryContext, 'isKnown'>) {
	const isKnown = (pid: string): boolean => [reviews, reviewData, stars].some((memory) => memory.has(pid));
	// Anyone can make up an id in an address. Ids of which nothing is known must not hold up the others.
	const priorityOf = (pid: string): Priority => (isKnown(pid) ? 'normal' : 'low');
	const askForStars = createLiveStars(ask, isKnown);
	const all = { ...context, isKnown };
	const reviews = new LiveMemory<ProductReviews>(
		'reviews',
		async (pid, known) => {
			const priority = priorityOf(pid);
			return ask((provider) => provider.reviews(pid, { known, priority }));
		},
		all,
	);
	const reviewData = new LiveMemory<ReviewData>(
		'review-data',
		async (pid) => {
			const priority = priorityOf(pid);
			return ask((provider) => provider.reviewData(pid, { priority }));
		},
		all,
	);
	const stars = new LiveMemory<LiveStars>('rating', async (pid) => ({ value: await askForStars(pid) }), all);
	return { reviews, reviewData, stars };
}

/** The failure of a list that contains both known products, of which the service has something, and unknown ones. */
class MixedListError extends Error {}

/**
 * Fetches the stars of products in lists. Products of pages that are rendered at the same time share a list. A single
 * made-up id can make the service refuse the whole list; then known products are requested again without the others.
 */
function createLiveStars(
	ask: AskService,
	isKnown: (pid: string) => boolean,
): (pid: string) => Promise<LiveStars> {
	const ofAll = collectRatings({
		async fetchRatings(pids) {
			const known = pids.filter(isKnown).length;
			const priority = known === pids.length ? 'normal' : 'low';
			try {
				return await ask((provider) => provider.ratings(pids, { priority }));
			} catch (cause) {
				throw known > 0 && known < pids.length ? new MixedListError('', { cause }) : cause;
			}
		},
	});
	const ofKnown = collectRatings({ fetchRatings: (pids) => ask((provider) => provider.ratings(pids)) });
	return async (pid) => {
		const rating = await ofAll(pid).catch((error) => {
			if (!(error instanceof MixedListError)) throw error;
			if (isKnown(pid)) return ofKnown(pid);
			throw error.cause;
		});
		return { aggregate: usableAggregate(rating?.count, rating?.average) };
	};
}
