import type { Priority, Validators } from 'product-reviews-client';
import { collectRatings } from '../cache/collect-ratings.js';
import { readPayload } from '../parse/read-payload.js';
import { readReviewData } from '../parse/read-review-data.js';
import { type AggregateRating, type ProductReviews, type ReviewData, usableRating } from '../parse/record.js';
import type { SharedKind, SharedStorage } from '../shared-storage/shared-storage.js';
import { createLiveMemory } from './create-live-memory.js';
import type { LiveService } from './create-live-service.js';
import { createLiveSharing, type LiveMemory, type LiveMemoryContext } from './live-memory.js';

/** What a server remembers of products. */
export interface LiveMemories {
	readonly reviews: LiveMemory<ProductReviews>;
	readonly reviewData: LiveMemory<ReviewData>;
	readonly stars: LiveMemory<LiveStars>;
	/** All of them. */
	readonly all: readonly LiveMemory<LiveStars>[];
}

/**
 * @param storage that instances share, if there is one.
 * @param nextTurn waits for the next turn of the event loop.
 */
export function createLiveMemories(
	service: LiveService,
	context: Omit<LiveMemoryContext<unknown, unknown>, 'ask' | 'isEmpty' | 'isKnown' | 'sharing'>,
	storage: SharedStorage | undefined,
	nextTurn: () => Promise<void>,
): LiveMemories {
	const isKnown = (pid: string): boolean => all.some((memory) => memory.has(pid));
	// Anyone can make up an id in an address. Ids of which nothing is known must not hold up the others.
	const priorityOf = (pid: string): Priority => (isKnown(pid) ? 'normal' : 'low');
	const memoryOf = <Value, Known = never>(
		kind: SharedKind,
		own: Pick<LiveMemoryContext<Value, Known>, 'ask' | 'isEmpty'>,
	) => {
		const sharing = storage && createLiveSharing<Value>(storage, kind, context.monotonicNow);
		return createLiveMemory<Value, Known>({ ...context, ...own, isKnown, sharing });
	};

	const reviews = memoryOf<ProductReviews, Validators>('reviews', {
		async ask(pid, known) {
			const priority = priorityOf(pid);
			const payload = await service.ask((client) => client.getCrawlerReviews(pid, { known, priority }));
			if (payload === 'unchanged') return payload;
			await nextTurn();
			const value = readPayload(payload);
			return payload.validators ? { value, known: payload.validators } : { value };
		},
		isEmpty: ({ aggregate, reviews }) => aggregate === undefined && reviews.length === 0,
	});
	const reviewData = memoryOf<ReviewData>('review-data', {
		async ask(pid) {
			const priority = priorityOf(pid);
			const data = await service.ask((client) => client.getProductReviewData(pid, { priority }));
			await nextTurn();
			return { value: readReviewData(data) };
		},
		isEmpty: ({ aggregate, reviews, questions }) =>
			aggregate === undefined && reviews.length + questions.length === 0,
	});
	const askForStars = createLiveStars(service, isKnown, nextTurn);
	const stars = memoryOf<LiveStars>('rating', {
		ask: async (pid) => ({ value: await askForStars(pid) }),
		isEmpty: ({ aggregate }) => aggregate === undefined,
	});
	const all = [reviews, reviewData, stars];
	return { reviews, reviewData, stars, all };
}

/** The remembered stars of a product. */
interface LiveStars {
	readonly aggregate: AggregateRating | undefined;
}

/** The failure of a list that contains both known products, of which the service has something, and unknown ones. */
class MixedListError extends Error {}

/**
 * Fetches the stars of products in lists. Products of pages that are rendered at the same time share a list. A single
 * made-up id can make the service refuse the whole list; then known products are requested again without the others.
 *
 * @param nextTurn waits until all components of a page have made their requests.
 */
function createLiveStars(
	{ ask }: LiveService,
	isKnown: (pid: string) => boolean,
	nextTurn: () => Promise<void>,
): (pid: string) => Promise<LiveStars> {
	const ofAll = collectRatings(
		{
			async fetchRatings(pids) {
				const known = pids.filter(isKnown).length;
				const priority = known === pids.length ? 'normal' : 'low';
				try {
					return await ask((client) => client.getStarRatings(pids, { priority }));
				} catch (cause) {
					throw known > 0 && known < pids.length ? new MixedListError('', { cause }) : cause;
				}
			},
		},
		nextTurn,
	);
	const ofKnown = collectRatings(
		{ fetchRatings: (pids) => ask((client) => client.getStarRatings(pids)) },
		nextTurn,
	);
	return async (pid) => {
		const rating = await ofAll(pid).catch((error) => {
			if (!(error instanceof MixedListError)) throw error;
			if (isKnown(pid)) return ofKnown(pid);
			throw error.cause;
		});
		const { average = Number.NaN, count = 0 } = rating ?? {};
		const usable = Number.isSafeInteger(count) && count > 0 ? usableRating(average) : undefined;
		return { aggregate: usable === undefined ? undefined : { count, average: usable } };
	};
}
