import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { codeOf, describeFailure } from '../base/failures.js';
import { PRODUCTS_PER_REQUEST } from '../constants.js';
import type { FetchOptions } from '../options/schema.js';
import { RESOURCES } from '../records/parts.js';
import { isSameRating, type KnownRating, NO_RATING, type Ratings } from '../records/rating.js';
import { isOutdated, type ReviewStore } from './parts.js';
import type { Advise } from './results.js';

/** Default maximum age of a value, in milliseconds: an hour. */
export const DEFAULT_MAX_AGE = 3_600_000;
/** The default if ratings are compared, in milliseconds: 7 days. Texts may change without moving a rating. */
const DEFAULT_MAX_AGE_OF_CHECKED = 604_800_000;

interface RevalidationContext {
	readonly mode: NonNullable<FetchOptions['revalidate']>;
	readonly maxAge?: number | undefined;
	readonly products?: AsyncGenerator<string, void, undefined> | undefined;
	readonly service: { fetchRatings(pids: readonly string[]): Promise<Ratings> };
	readonly store: ReviewStore;
	readonly warn: (message: string) => void;
	readonly advise: Advise;
}

/** Decides which stored products are requested again. What it learns is kept in the cache. */
export class Revalidation {
	/** The product list. Yields each product once it is known whether its rating moved. */
	readonly products: AsyncGenerator<string, void, undefined> | undefined;
	/** Resolves when this is known for all of them; `undefined` if this is not checked. */
	readonly checked: Promise<unknown> | undefined;
	readonly #context: RevalidationContext;
	#hasFailed = false;

	constructor(context: RevalidationContext) {
		const { mode, products } = context;
		this.#context = context;
		const list =
			mode === 'ratings' && products ? checkAhead(products, (chunk) => this.#check(chunk)) : undefined;
		this.products = list?.products ?? products;
		this.checked = list?.checked;
	}

	/** Maximum age of a value, in milliseconds. */
	get maxAge(): number {
		const { mode, maxAge } = this.#context;
		if (mode === 'always') return 0;
		const isChecked = this.checked && !this.#hasFailed;
		return maxAge ?? (isChecked ? DEFAULT_MAX_AGE_OF_CHECKED : DEFAULT_MAX_AGE);
	}

	/**
	 * Compares the service's current ratings with the known ones. A product whose rating moved is marked, so that its reviews
	 * are fetched, even by the build after a failed one.
	 */
	compare(pids: readonly string[], answer: Ratings): void {
		const { store } = this.#context;
		const found = RESOURCES.map((resource) => store.entries(pids, resource));
		const ratings = store.entries(pids, 'rating');
		const moved: string[] = [];
		const asked = new Map<string, KnownRating>();
		for (const pid of pids) {
			const stored = found.flatMap((entries) => entries.get(pid) ?? []);
			if (stored.length === 0) continue;
			const rating = answer.get(pid) ?? NO_RATING;
			const last = ratings.get(pid);
			// If operation 1 has never been called for this product, compare with the summaries of the stored rows.
			const isMoved = (last ? [last] : stored).some(
				({ summary }) => !isSameRating({ ...NO_RATING, ...JSON.parse(summary ?? '{}') }, rating),
			);
			if (isMoved) moved.push(pid);
			if (isMoved || !last) asked.set(pid, rating);
			else {
				// It is as the service has it now, so a mark is about the reviews alone.
				const mark = store.markOf(pid);
				if (isOutdated(last, mark)) store.touch(pid, 'rating', { revision: mark.revision });
			}
		}
		store.mark(moved, 'event');
		for (const [pid, rating] of asked) {
			const { revision } = store.markOf(pid);
			store.put(pid, 'rating', { record: rating }, { fetchedAt: store.now(), revision });
		}
	}

	async #check(chunk: readonly string[]): Promise<void> {
		const { service, store, advise, warn } = this.#context;
		const entries = RESOURCES.map((resource) => store.entries(chunk, resource));
		const stored = chunk.filter((pid) => entries.some((found) => found.has(pid)));
		if (stored.length === 0 || this.#hasFailed) return;
		try {
			this.compare(stored, await service.fetchRatings(stored));
		} catch (error) {
			// Other lists in flight fail for the same reason.
			if (!this.#hasFailed) {
				const reason = [describeFailure(error), advise(chunk.map((pid) => ({ pid, error })))];
				warn(
					`The service does not say which ratings moved: ${reason.filter(Boolean).join(' ')} Stored reviews are requested again according to their age. [${codeOf(error)}]`,
				);
			}
			this.#hasFailed = true;
		}
	}
}

/** Chunks that are checked at the same time. */
const CHUNKS_IN_FLIGHT = 4;

/**
 * Reads a list to its end, as fast as its chunks can be checked. Pages wait for these checks, but not for the consumer.
 * @returns each product after it has been checked, and when all of them are. The products throw what the list or the
 * check throws.
 */
export function checkAhead(
	list: AsyncGenerator<string, void, undefined>,
	check: (chunk: readonly string[]) => Promise<void>,
	chunksInFlight = CHUNKS_IN_FLIGHT,
) {
	const waiting: string[] = [];
	let wake = Promise.withResolvers<void>();
	let hasEnded = false;
	const signal = () => {
		wake.resolve();
		wake = Promise.withResolvers();
	};

	// One after the other, so that every chunk except the last is full.
	const oneAtATime = pLimit(1);
	const takeNext = () => oneAtATime(take, list);
	const work = async () => {
		for (let chunk = await takeNext(); chunk.length > 0; chunk = await takeNext()) {
			await check(chunk);
			waiting.push(...chunk);
			signal();
			// Immediate answers must not block the event loop.
			await setImmediate();
		}
	};
	const working = Promise.all(Array.from({ length: chunksInFlight }, work)).finally(() => {
		hasEnded = true;
		signal();
	});

	async function* products(): AsyncGenerator<string, void, undefined> {
		for (let at = 0; ; ) {
			while (at < waiting.length) yield waiting[at++] as string;
			if (hasEnded) {
				await working;
				return;
			}
			waiting.length = at = 0;
			await wake.promise;
		}
	}
	return { products: products(), checked: working.catch(() => {}) };
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
