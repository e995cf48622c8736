import { inBatches } from '../base/async.js';
import { hasNothing, type Part, type Records, summaryOf } from '../records/parts.js';
import { type KnownRating, NO_RATING, usableAggregate } from '../records/rating.js';
import { holdsReviews, isOutdated, type ReviewStore, type StoredPart } from './parts.js';
import type { SharedEntry, SharedStorage } from './shared-storage.js';
import type { SharedValues } from './stored-answer.js';

/** Part of the reviews that is shared, and the store that keeps it here. */
export interface SharedPart<Of extends Part = Part> {
	readonly part: Of;
	readonly store: ReviewStore;
	readonly isFresh: (pid: string, stored: StoredPart | undefined) => boolean;
	/** Resolves when it is known which stored products are outdated. @default this is not checked */
	readonly checked?: Promise<unknown> | undefined;
	readonly nextTurn: () => Promise<unknown>;
	/** `true` to share products without anything to show, too. Not where anybody can make up an id. */
	readonly sharesEmpty: boolean;
}

export interface SharedCounts {
	read: number;
	written: number;
	unwritten: number;
}

/** Products per round trip. */
const BATCH = 100;

/** Shares one part of all products with other builders and servers. */
export class SharedAnswers<Of extends Part = Part> {
	readonly #part: SharedPart<Of>;
	readonly #storage: () => SharedStorage | undefined;
	readonly #counts: SharedCounts;
	readonly #lookUpInBatch: (pid: string) => Promise<void>;
	readonly #writing = new Set<Promise<void>>();

	/** @param storage returns the storage; `undefined` as long as there is nothing to share. */
	constructor(
		part: SharedPart<Of>,
		storage: () => SharedStorage | undefined,
		counts: SharedCounts = { read: 0, written: 0, unwritten: 0 },
	) {
		this.#part = part;
		this.#storage = storage;
		this.#counts = counts;
		this.#lookUpInBatch = inBatches((pids) => this.lookUp(pids), BATCH, part.nextTurn);
	}

	/** Takes over what others have of those of these products that are not fresh here, in one round trip. */
	async lookUp(pids: readonly string[]): Promise<void> {
		const { part, store, isFresh } = this.#part;
		const entries = store.entries(pids, part);
		const wanted = pids.filter((pid) => !isFresh(pid, entries.get(pid)));
		const storage = this.#storage();
		if (!storage || wanted.length === 0) return;
		// A change that comes meanwhile may not be in what others have.
		const revisions = new Map(wanted.map((pid) => [pid, store.markOf(pid).revision]));
		for (const [pid, entry] of await storage.read(part, wanted)) {
			this.#adopt(pid, entry, revisions.get(pid) ?? 0);
		}
	}

	/**
	 * Requests a product unless another machine has a fresh answer, and shares the answer.
	 * @returns `true` if another machine had one.
	 */
	async fetch(pid: string, request: () => Promise<void>): Promise<boolean> {
		const { part, store, isFresh, checked } = this.#part;
		const storage = this.#storage();
		if (storage) {
			await this.#lookUpInBatch(pid);
			if (isFresh(pid, store.entry(pid, part))) await checked;
			if (isFresh(pid, store.entry(pid, part))) return true;
		}
		const before = store.entry(pid, part);
		const lastChange = storage?.lastChange;
		await request();
		if (!storage || lastChange === undefined) return false;
		const writing = this.#write(storage, pid, before, lastChange).finally(() =>
			this.#writing.delete(writing),
		);
		this.#writing.add(writing);
		return false;
	}

	/** Waits until all answers are written, or given up. */
	async flush(): Promise<void> {
		await Promise.all(this.#writing);
	}

	#adopt(pid: string, found: SharedEntry<SharedValues[Of]>, revision: number): void {
		const { part, store } = this.#part;
		const { value, changedAt } = found;
		const own = store.entry(pid, part);
		const record = FROM_SHARED[part](value);
		// The clock of the store may be another one, and that of the other machine may be wrong.
		const fetchedAt = store.now() - Math.max(0, Date.now() - found.fetchedAt);
		if (own) {
			const isNewer = isOutdated(own, store.markOf(pid)) || fetchedAt > own.fetchedAt;
			if (found.isOutdated || !isNewer) return;
			// Whether a product lost all its reviews is decided here, from what the service sends.
			if (holdsReviews(own) && !holdsReviews({ summary: summaryOf(part, record) })) return;
		}
		store.put(pid, part, { record }, { fetchedAt, revision, changedAt });
		if (found.isOutdated) store.mark([pid], 'event');
		else this.#counts.read += 1;
	}

	async #write(
		storage: SharedStorage,
		pid: string,
		before: StoredPart | undefined,
		lastChange: string,
	): Promise<void> {
		const { part, store, sharesEmpty } = this.#part;
		const record = store.read(pid, part);
		const stored = store.entry(pid, part);
		if (record === undefined || !stored || isOutdated(stored, store.markOf(pid))) return;
		if (!sharesEmpty && hasNothing(part, record)) return;
		const toTimeOfDay = (at: number) => Date.now() - (store.now() - at);
		const firstSeen = before?.digest === stored.digest ? before.fetchedAt : stored.fetchedAt;
		const changedAt = stored.changedAt ?? toTimeOfDay(firstSeen);
		const answer = {
			value: TO_SHARED[part](record),
			fetchedAt: toTimeOfDay(stored.fetchedAt),
			changedAt,
			lastChange,
		};
		const isWritten = await storage.write(part, pid, answer);
		this.#counts[isWritten ? 'written' : 'unwritten'] += 1;
	}
}

/** Records become exactly those of an answer of the service. */
export const FROM_SHARED: { readonly [Of in Part]: (value: SharedValues[Of]) => Records[Of] } = {
	reviews: (value) => value,
	'review-data': (value) => value,
	rating: ({ aggregate, questionCount }) => ({ ...NO_RATING, ...aggregate, questionCount }),
};

const TO_SHARED: { readonly [Of in Part]: (record: Records[Of]) => SharedValues[Of] } = {
	reviews: (record) => record,
	'review-data': (record) => record,
	rating: ({ count, average, questionCount }: KnownRating) => ({
		aggregate: usableAggregate(count, average),
		questionCount,
	}),
};
