import { setImmediate } from 'node:timers/promises';
import { describeFailure } from '../failures/describe-failure.js';
import type { Advise } from '../failures/describe-failures.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import type { Ratings, ReviewService } from '../service/review-service.js';
import { RESOURCES, type ReviewStore, type StoredEntry } from '../store/review-store.js';
import { NO_VALUE } from '../store/values.js';
import { PRODUCTS_PER_REQUEST } from './collect-ratings.js';
import { isSameRating, type KnownRating, NO_RATING, packRating } from './known-rating.js';

/** Default maximum age of a value, in milliseconds: an hour. */
export const DEFAULT_MAX_AGE = 3_600_000;
/** The default if ratings are compared, in milliseconds: 7 days. Texts may change without moving a rating. */
const DEFAULT_MAX_AGE_OF_CHECKED = 604_800_000;

export interface RevalidatedList extends Pick<Revalidation, 'isOutdated' | 'mark'> {
	/** The product list. Yields each product once it is known whether its rating moved. */
	readonly products: AsyncGenerator<string, void, undefined> | undefined;
	/** Resolves when this is known for all of them; `undefined` if this is not checked. */
	readonly checked: Promise<unknown> | undefined;
	maxAge(): number;
}

export interface RevalidationContext {
	readonly mode: NonNullable<ProductReviewsOptions['revalidate']>;
	readonly maxAge: number | undefined;
	readonly products: AsyncGenerator<string, void, undefined> | undefined;
	readonly service: Pick<ReviewService, 'fetchRatings'>;
	readonly store: ReviewStore;
	readonly now: () => number;
	readonly warn: (message: string) => void;
	/** What to check if the service refuses to answer. @default no advice */
	readonly advise?: Advise | undefined;
}

export function startRevalidation(context: RevalidationContext): RevalidatedList {
	const { mode, maxAge, products, service, store, now, warn, advise } = context;
	const { isOutdated, mark, compare } = createRevalidation(store, now);
	const common = { isOutdated, mark };
	if (mode === 'always') return { ...common, products, checked: undefined, maxAge: () => 0 };
	if (mode === 'age' || !products) {
		return { ...common, products, checked: undefined, maxAge: () => maxAge ?? DEFAULT_MAX_AGE };
	}
	const tables = RESOURCES.map((resource) => store.table(resource));
	let hasFailed = false;
	const check = async (chunk: readonly string[]) => {
		const entries = tables.map((table) => table.entries(chunk));
		const stored = chunk.filter((pid) => entries.some((found) => found.has(pid)));
		if (stored.length === 0 || hasFailed) return;
		try {
			compare(stored, await service.fetchRatings(stored));
		} catch (error) {
			// Other lists in flight fail for the same reason.
			if (!hasFailed) {
				const advice = advise?.(chunk.map((pid) => ({ pid, error })));
				const reason = [describeFailure(error), advice].filter(Boolean).join(' ');
				warn(
					`The service does not say which ratings moved: ${reason} Stored reviews are requested again according to their age.`,
				);
			}
			hasFailed = true;
		}
	};
	return {
		...common,
		...checkAhead(products, check),
		maxAge: () => maxAge ?? (hasFailed ? DEFAULT_MAX_AGE : DEFAULT_MAX_AGE_OF_CHECKED),
	};
}

/** Knows which stored products may be outdated, regardless of their age. This knowledge is kept in the store. */
interface Revalidation {
	/** Whether a value fetched at this time is outdated because of something learned later. */
	isOutdated(pid: string, fetchedAt: number): boolean;
	/** Marks products with changed reviews. They stay marked until they are fetched. */
	mark(pids: readonly string[]): void;
	compare(pids: readonly string[], ratings: Ratings): void;
}

export function createRevalidation(store: ReviewStore, now: () => number): Revalidation {
	const reviews = store.table<ProductReviews>('reviews');
	const reviewData = store.table<ReviewData>('review-data');
	const ratings = store.table<KnownRating>('rating');
	const marks = store.table<object>('mark');

	// When a rating moves, its row is written before the reviews are fetched. A row newer than the reviews means that
	// they still have to be fetched, even in the build after a failed one.
	const compareOne = (
		pid: string,
		rating: KnownRating,
		stored: readonly StoredEntry[],
		last: StoredEntry | undefined,
	) => {
		if (stored.length === 0) return;
		// If operation 1 has never been called for this product, compare with the summaries of the stored rows.
		const isMoved = (last ? [last] : stored).some(({ summary }) => {
			const known = last ? parse(summary) : { ...NO_RATING, ...parse(summary) };
			return !known || !isSameRating(known, rating);
		});
		if (isMoved) ratings.put(pid, packRating(rating), now());
		else if (!last)
			ratings.put(pid, packRating(rating), Math.min(...stored.map(({ fetchedAt }) => fetchedAt)));
	};

	return {
		isOutdated: (pid, fetchedAt) =>
			[marks, ratings].some(
				(table) => !table.isEmpty() && (table.entry(pid)?.fetchedAt ?? Number.NEGATIVE_INFINITY) > fetchedAt,
			),
		mark(pids) {
			for (const pid of pids) marks.put(pid, NO_VALUE, now());
		},
		compare(pids, answer) {
			const stored = [reviews.entries(pids), reviewData.entries(pids)];
			const last = ratings.entries(pids);
			for (const pid of pids) {
				const rows = stored.flatMap((entries) => entries.get(pid) ?? []);
				compareOne(pid, answer.get(pid) ?? NO_RATING, rows, last.get(pid));
			}
		},
	};
}

function parse(summary: string | undefined): KnownRating | undefined {
	return summary === undefined ? undefined : (JSON.parse(summary) as KnownRating);
}

/** Chunks that are checked at the same time. */
const CHUNKS_IN_FLIGHT = 4;

export interface CheckedList {
	/** Yields each product after it has been checked. Throws what the list or the check throws. */
	readonly products: AsyncGenerator<string, void, undefined>;
	readonly checked: Promise<void>;
}

/**
 * Reads a list to its end, as fast as its chunks can be checked. Pages wait for these checks, but not for the consumer.
 */
export function checkAhead(
	list: AsyncGenerator<string, void, undefined>,
	check: (chunk: readonly string[]) => Promise<void>,
	chunksInFlight = CHUNKS_IN_FLIGHT,
): CheckedList {
	const waiting: string[] = [];
	let wake = Promise.withResolvers<void>();
	let ended: { readonly error?: unknown } | undefined;
	const signal = () => {
		wake.resolve();
		wake = Promise.withResolvers();
	};

	// One after the other, so that every chunk except the last is full.
	let lastTaken: Promise<unknown> = Promise.resolve();
	const takeNext = () => {
		const taken = lastTaken.then(() => take(list));
		lastTaken = taken.catch(() => {});
		return taken;
	};
	const work = async () => {
		for (let chunk = await takeNext(); chunk.length > 0; chunk = await takeNext()) {
			await check(chunk);
			waiting.push(...chunk);
			signal();
			// Immediate answers must not block the event loop.
			await setImmediate();
		}
	};
	const checked = Promise.all(Array.from({ length: chunksInFlight }, work)).then(
		() => {
			ended = {};
			signal();
		},
		(error) => {
			ended = { error };
			signal();
		},
	);

	async function* products() {
		for (let at = 0; ; ) {
			while (at < waiting.length) yield waiting[at++] as string;
			if (ended && 'error' in ended) throw ended.error;
			if (ended) return;
			waiting.length = at = 0;
			await wake.promise;
		}
	}
	return { products: products(), checked };
}

async function take(list: AsyncGenerator<string, void, undefined>): Promise<string[]> {
	const chunk: string[] = [];
	while (chunk.length < PRODUCTS_PER_REQUEST) {
		const next = await list.next();
		if (next.done) break;
		chunk.push(next.value);
	}
	return chunk;
}
